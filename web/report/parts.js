// Two texts and their differences, from the parts of the report: ["=", text], ["-", only removed], ["+", only kept], ["~", characters].
const LONGEST_PART = 4000;  // characters shown of one part: a browser lays out no megabyte in a cell

function merged_view(parts) {
  return element("div", { class: "text merged", dir: "auto" }, parts.flatMap(piece));
}

function side_view(parts, kind, title, document) {
  const other = kind === "-" ? "+" : "-";
  return element("div", { class: "side" },
    element("h4", {}, title, name_of(document)),
    element("div", { class: "text", dir: "auto" }, parts.filter(([each]) => each !== other).flatMap(piece)));
}

function piece([kind, value]) {
  if (kind === "~") return [left_out(value)];
  const text = String(value);
  const [head, tail] = text.length > LONGEST_PART ? [cut(text, LONGEST_PART * 0.75), cut_end(text, LONGEST_PART * 0.25)] : [text, ""];
  const tag = { "-": "del", "+": "ins" }[kind] || "span";
  const made = [element(tag, {}, kind === "=" ? head : visible_spaces(head))];
  if (tail) made.push(left_out(text.length - head.length - tail.length), element(tag, {}, tail));
  return made;
}

const left_out = (characters) => element("span", { class: "left-out" }, `⋯ ${say("left_out", Number(characters))} ⋯`);

// Without splitting a pair of surrogates.
const high_surrogate = (unit) => unit >= 0xd800 && unit < 0xdc00;
const cut = (text, length) => text.slice(0, high_surrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
const cut_end = (text, length) => text.slice(text.length - (high_surrogate(text.charCodeAt(text.length - length - 1)) ? length - 1 : length));

// A change of nothing but white space would be invisible.
function visible_spaces(text) {
  if (/\S/.test(text)) return text;
  return text.replace(/\n/g, "↵\n").replace(/\t/g, "⇥").replace(/[^\S\n]/g, "␣");
}

// Which colours mean what.
const difference_legend = () =>
  element("p", { class: "legend" }, element("del", {}, say("legend_removed")), " ", element("ins", {}, say("legend_kept")));

const has_changes = (parts) => (parts || []).some(([kind]) => kind === "-" || kind === "+");
