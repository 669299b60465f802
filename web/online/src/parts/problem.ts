// A problem, shown where it happened.
import { Problem } from "../api/client";
import { button, element, type Child } from "../dom";
import { words } from "../words/words";

/** `again`: what a press of "try again" does. */
export function problem_box(error: unknown, again?: () => void): HTMLElement {
  const said = words();
  const repeat = again && button(said.again, again);
  if (!(error instanceof Problem)) return note_box(error instanceof Error ? error.message : String(error), null, repeat);
  if (error.status === 0) return note_box(said.problem_unreachable, said.problem_unreachable_more, repeat);
  const more = [error.retry_after === null ? "" : said.problem_retry(error.retry_after), said.problem_status(error.status)];
  return note_box(error.title || said.problem_status(error.status), [error.detail && element("p", { class: "detail" }, error.detail), element("p", { class: "note" }, more.filter(Boolean).join(" · "))], repeat);
}

export function note_box(title: string, more: Child, ...tools: Child[]): HTMLElement {
  return element(
    "div",
    { class: "problem", role: "alert" },
    element("p", { class: "problem-title" }, title),
    typeof more === "string" ? element("p", {}, more) : more,
    tools.some(Boolean) && element("p", { class: "tools" }, tools),
  );
}
