// DOM elements. Texts of the report only ever become text nodes, so that none is read as markup.

// element("td", {class: "number", title: "..."}, "text", another_element, null): null and undefined children are left out.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  add_children(made, children);
  return made;
}

function add_children(parent, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child);
  }
}

// A text of the report's data: in a direction of its own, so that it does not reorder what is around it.
const quoted = (text, tag = "bdi", attributes = {}) => element(tag, { dir: "auto", ...attributes }, text);
// A name that may be long: breaks anywhere.
const name_of = (document) => quoted(visible_spaces(shortened(document_name(document))), "bdi", { class: "name", title: `${document.source}:${document.row}` });

function section(id, title, ...children) {
  return element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title`, tabindex: "-1" }, title), children);
}

const lead = (...texts) => element("p", { class: "lead" }, texts.filter(Boolean).flatMap((text) => [text, language === "en" ? " " : ""]));
const nothing = (text) => element("p", { class: "nothing" }, text);

// A bar of parts, [class, share] each; what it shows stands next to it as text.
function bar(parts, attributes = {}) {
  const pieces = parts.map(([kind, share]) => {
    const piece = element("span", { class: kind });
    piece.style.width = `${Math.min(Math.max(share, 0), 1) * 100}%`;
    return piece;
  });
  return element("span", { class: "bar", "aria-hidden": "true", ...attributes }, pieces);
}

// Said by screen readers.
function announce(text) {
  const box = document.getElementById("announcements");
  if (box) box.textContent = text;
}

function copy_button(text) {
  const button = element("button", { type: "button", class: "copy", onclick: copy }, say("copy"));
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages of files may not use the clipboard in every browser.
      const box = element("textarea", { class: "unseen" }, text);
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
      button.focus();
    }
    button.textContent = say("copied");
    announce(say("copied"));
    setTimeout(() => (button.textContent = say("copy")), 2000);
  }
  return button;
}

// A group of buttons of which one is pressed. `choose` is called with the name of another one.
function choice(label, names, current, choose, title = (name) => name, attributes = () => ({})) {
  const buttons = names.map((name) =>
    element("button", { type: "button", "data-choice": name, "aria-pressed": String(name === current), ...attributes(name), onclick: () => pick(name) }, title(name)),
  );
  function pick(name) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choice === name));
    choose(name);
  }
  return element("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}
