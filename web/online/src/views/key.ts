// The entry of the key, when the server asks for one.
import { Problem, api, set_key } from "../api/client";
import type { Key } from "../api/types";
import { element, replace } from "../dom";
import { note_box, problem_box } from "../parts/problem";
import { words } from "../words/words";

/** `rejected`: a key was sent, and the server does not know it. `entered`: with what the server says about the new one. */
export function key_view(rejected: boolean, entered: (key: Key) => void): HTMLElement {
  const said = words();
  const problems = element("div", {}, rejected && note_box(said.key_wrong, null));
  const input = element("input", {
    id: "key",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "off",
    "data-focus": true,
  });
  const sign_in = element("button", { type: "submit", class: "primary" }, said.key_enter);

  async function enter(): Promise<void> {
    const key = input.value.trim();
    if (!key || !/^[\x21-\x7e]+$/.test(key)) {
      replace(problems, note_box(key ? said.key_form : said.key_missing, null));
      input.focus();
      return;
    }
    set_key(key);
    sign_in.disabled = true;
    try {
      entered(await api.key());
    } catch (error) {
      set_key(null);
      sign_in.disabled = false;
      input.focus();
      replace(problems, error instanceof Problem && error.status === 401 ? note_box(said.key_wrong, error.detail || null) : problem_box(error));
    }
  }

  return element(
    "div",
    { class: "view key-entry" },
    element("h1", { tabindex: -1 }, said.key_title),
    element("p", { class: "lead" }, said.key_lead),
    element(
      "form",
      {
        class: "card form",
        onsubmit: (event: Event) => {
          event.preventDefault();
          void enter();
        },
      },
      element("label", { for: "key" }, said.key_label),
      element("div", { class: "tools" }, input, sign_in),
      problems,
      element("p", { class: "note" }, said.key_made, " ", element("code", {}, "neardup serve --new-key read:NAME --keys FILE")),
    ),
  );
}
