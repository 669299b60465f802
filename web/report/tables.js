// Tables whose columns sort at a click. A column: {key, title, kind: "number" or "text", value(row), cell(row), wide: hidden on phones}.
const FEW_ROWS = 20;
const MORE_ROWS = 500;  // laid out at once: a browser takes seconds for tens of thousands
const sort_orders = new Map();  // by table id: kept when the page is drawn in another language

function sortable(id, columns, rows, { label, first = null, filter = null, few = FEW_ROWS } = {}) {
  const order = sort_orders.get(id) || { key: first, descending: true };
  sort_orders.set(id, order);
  let limit = few;
  let wanted = "";

  const body = element("tbody");
  const heads = columns.map((column) => {
    const button = element("button", { type: "button", onclick: () => sort(column) }, column.title);
    return element("th", { scope: "col", class: classes(column), "data-key": column.key }, button);
  });
  const table = element("table", { id: `${id}-table`, class: "sortable", "aria-label": label }, element("thead", {}, element("tr", {}, heads)), body);
  const more = element("button", { type: "button", class: "more", onclick: show_more });
  const state = element("span", { class: "state", "aria-live": "polite" });
  const box = filter && rows.length > few
    ? element("input", { type: "search", placeholder: say("filter"), "aria-label": say("filter"), oninput: () => ((wanted = box.value.toLowerCase()), fill()) })
    : null;

  function sort(column) {
    order.descending = order.key === column.key ? !order.descending : column.kind === "number";
    order.key = column.key;
    fill();
    announce(say("sorted", column.title, order.descending));
  }

  function show_more() {
    limit = more.getAttribute("aria-expanded") === "true" ? few : limit + MORE_ROWS;
    fill();
  }

  function fill() {
    const column = columns.find((each) => each.key === order.key);
    const found = wanted ? rows.filter((row) => filter(row).toLowerCase().includes(wanted)) : rows;
    const sorted = column ? [...found].sort(comparison(column, order.descending)) : found;
    const visible = sorted.slice(0, limit);
    const all_shown = visible.length === sorted.length;
    body.replaceChildren(...visible.map((row) => row_of(columns, row)));
    for (const head of heads) {
      const sorting = head.dataset.key === order.key;
      head.setAttribute("aria-sort", sorting ? (order.descending ? "descending" : "ascending") : "none");
    }
    more.hidden = sorted.length <= few;
    more.textContent = all_shown ? say("show_fewer") : sorted.length - limit <= MORE_ROWS ? say("show_all", sorted.length) : say("show_more", MORE_ROWS);
    more.setAttribute("aria-expanded", String(all_shown));
    state.textContent = rows.length > few ? say("rows_shown", visible.length, sorted.length) : "";
  }
  fill();
  return element("div", { class: "table" }, box, table, element("div", { class: "below" }, more, state));
}

const classes = (column) => [column.kind === "number" ? "number" : "", column.wide ? "wide" : "", column.class || ""].join(" ").trim() || null;

function row_of(columns, row) {
  return element("tr", {}, columns.map((column, index) => element(index === 0 && column.kind !== "number" ? "th" : "td",
    { class: classes(column), scope: index === 0 && column.kind !== "number" ? "row" : null }, column.cell(row))));
}

// Missing numbers last, in both directions; equal rows keep their order.
function comparison(column, descending) {
  const sign = descending ? -1 : 1;
  const names = new Intl.Collator(language, { numeric: true });
  const missing = (value) => value === null || value === undefined || Number.isNaN(value);
  return (a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (missing(x) || missing(y)) return missing(x) - missing(y);
    return sign * (column.kind === "number" ? x - y : names.compare(String(x), String(y)));
  };
}

// A table that does not sort: [[text, ...], ...] below titles.
function plain_table(titles, rows, { label = null, numbers = [] } = {}) {
  const kind = (index) => (numbers.includes(index) ? "number" : null);
  return element("table", { "aria-label": label },
    titles && element("thead", {}, element("tr", {}, titles.map((title, index) => element("th", { scope: "col", class: kind(index) }, title)))),
    element("tbody", {}, rows.map((cells) => element("tr", {}, cells.map((cell, index) => element(index === 0 ? "th" : "td", { scope: index === 0 ? "row" : null, class: kind(index) }, cell))))));
}
