// A whole text of a clue index, with the passage of a hit marked: #/text?index=old&text=7&begin=120&end=188, in bytes.
import { api } from "../api/client";
import { button, element, quoted, replace } from "../dom";
import { shortened, whole } from "../format";
import { note_box, problem_box } from "../parts/problem";
import { was_aborted, type MakeView } from "../parts/view";
import { chosen_index } from "../state";
import { index_of_byte } from "../text/bytes";
import { words } from "../words/words";

export const text_view: MakeView = ({ parameters }, signal) => {
  const said = words();
  const index = chosen_index()?.name ?? "";
  const wanted = parameters.get("text") ?? "";
  const content = element("div", {}, element("p", { class: "note" }, said.loading));
  const title = element("h1", { tabindex: -1 }, said.loading);
  const node = element("div", { class: "view text" }, title, element("p", { class: "lead" }, said.text_of(index)), content);

  async function load(): Promise<void> {
    try {
      const { id, name, text } = await api.text(index, Number(wanted), signal);
      replace(title, quoted(shortened(name || whole(id))));
      const begin = index_of_byte(text, Number(parameters.get("begin") ?? 0));
      const end = index_of_byte(text, Number(parameters.get("end") ?? 0));
      const mark = end > begin ? element("mark", { class: "found" }, text.slice(begin, end)) : null;
      const pane = element("div", { class: "pane tall", tabindex: 0, role: "group", "aria-label": said.document_text, dir: "auto" }, text.slice(0, begin), mark, text.slice(Math.max(begin, end)));
      const show_mark = (): void => {
        if (mark) pane.scrollTop = mark.offsetTop - pane.clientHeight / 3;
      };
      replace(
        content,
        element(
          "section",
          { class: "card" },
          element("div", { class: "bar" }, element("span", { class: "note" }, said.characters([...text].length)), mark && button(said.to_passage, show_mark)),
          pane,
        ),
      );
      show_mark();
    } catch (error) {
      if (was_aborted(error)) return;
      replace(title, said.text);
      replace(content, problem_box(error, () => void load()));
    }
  }

  if (/^\d{1,16}$/.test(wanted)) void load();
  else replace(content, note_box(said.text_not_number, null));
  return { node };
};
