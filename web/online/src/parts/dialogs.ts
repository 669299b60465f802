// Windows within the page: the question before a deletion, and the list of keys. The browser keeps the focus inside and gives it back.
import { Problem, api } from "../api/client";
import { announce, button, element, quoted, replace, type Child } from "../dom";
import { shortened } from "../format";
import { settings } from "../settings";
import { words } from "../words/words";
import { problem_box } from "./problem";

let last_title = 0;

function open_dialog(title: string, ...children: Child[]): HTMLDialogElement {
  const id = `dialog-title-${++last_title}`;
  const dialog = element("dialog", { "aria-labelledby": id }, element("h2", { id }, title), children);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export const dialog_is_open = (): boolean => document.querySelector("dialog[open]") !== null;

/** Closed when the view below changes. */
export function close_dialogs(): void {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/** Asks, deletes, and then calls `done`, with whether the document was stored. `removed`: how many documents went because of it, if known. */
export function confirm_deletion(store: string, id: string, removed: number | null, done: (was_stored: boolean) => void): void {
  const said = words();
  const problems = element("div");
  const cancel = button(said.cancel, () => dialog.close(), { autofocus: true });
  const sure = button(said.delete_sure, () => void remove(), { class: "danger" });
  const dialog = open_dialog(
    said.delete_title,
    element("p", { class: "name" }, quoted(shortened(id, 300))),
    element("p", {}, said.delete_more),
    element("p", {}, removed === null ? said.delete_removed_any : said.delete_removed(removed)),
    problems,
    element("p", { class: "tools end" }, cancel, sure),
  );

  async function remove(): Promise<void> {
    sure.disabled = true;
    announce(said.deleting);
    try {
      const was_stored = await api.remove(store, id);
      dialog.close();
      announce(was_stored ? said.deleted : said.delete_gone);
      done(was_stored);
    } catch (error) {
      sure.disabled = false;
      if (error instanceof Problem && error.status === 401) dialog.close();
      else replace(problems, problem_box(error));
    }
  }
}

export function show_keys(): void {
  const said = words();
  const row = (keys: string[], meaning: string): Child => [
    element("dt", {}, keys.map((key) => element("kbd", {}, key))),
    element("dd", {}, meaning),
  ];
  const single = element("input", { type: "checkbox", id: "single-keys", onchange: () => settings.set_single_keys(single.checked) });
  single.checked = settings.single_keys();
  const dialog = open_dialog(
    said.keys_title,
    element("dl", { class: "keys" }, [
      row(["Ctrl", "Enter"], said.key_ask),
      row(["/"], said.key_focus),
      row(["n"], said.key_next),
      row(["p"], said.key_previous),
      row(["1", "…", "5"], said.key_views),
      row(["?"], said.key_help),
      row(["Esc"], said.key_escape),
    ]),
    element("p", { class: "note" }, said.keys_lead),
    element("p", {}, element("label", { class: "inline", for: "single-keys" }, single, said.single_keys)),
    element("p", { class: "tools end" }, button(said.close, () => dialog.close(), { autofocus: true })),
  );
}
