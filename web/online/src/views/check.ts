// Paste a text: what the store says of it, and the text next to its keeper. Asking changes nothing; keeping is a button of its own.
import { Problem, api } from "../api/client";
import type { Answer, Store } from "../api/types";
import { announce, button, element, quoted, replace, type Child } from "../dom";
import { bound, shortened, whole } from "../format";
import { comparison, passage_list, type Comparison } from "../parts/comparison";
import { confirm_deletion } from "../parts/dialogs";
import { document_link } from "../parts/names";
import { note_box, problem_box } from "../parts/problem";
import { similarity_bar } from "../parts/similarity";
import { Latest, was_aborted, type MakeView } from "../parts/view";
import { chosen_store, may_write, recipe_kind } from "../state";
import { words } from "../words/words";

type Question = "query" | "check";
interface Result {
  store: string;
  question: Question;
  id: string;
  text: string;
  answer: Answer;
  /** Null: the store keeps no texts; undefined: the keeper is gone, or there is none. */
  keeper_text: string | null | undefined;
}

// Survives a change of the view or of the language.
let typed = { text: "", id: "" };
let result: Result | null = null;

/** After signing out. */
export function forget_check(): void {
  typed = { text: "", id: "" };
  result = null;
}

export const check_view: MakeView = (_, signal) => {
  const said = words();
  const store = chosen_store() as Store;
  const latest = new Latest(signal);
  let shown: Comparison | null = null;

  const text = element("textarea", { id: "text", rows: 7, placeholder: said.text_hint, spellcheck: "false", dir: "auto", "data-focus": true, oninput: () => (typed.text = text.value) });
  const id = element("input", { id: "id", type: "text", autocomplete: "off", spellcheck: "false", dir: "auto", oninput: () => (typed.id = id.value) });
  text.value = typed.text;
  id.value = typed.id;
  const ask = button(said.ask, () => void run("query"), { class: "primary ask", "aria-keyshortcuts": "Control+Enter" });
  const keep = button(said.keep, () => void run("check"), { class: "keep", disabled: !may_write(), "aria-describedby": "keep-hint" });
  const clear = button(said.clear, reset, { class: "quiet" });
  const answers = element("div", { id: "answer" });

  function reset(): void {
    typed = { text: "", id: "" };
    text.value = id.value = "";
    result = shown = null;
    latest.begin();
    replace(answers);
    text.focus();
  }

  function miss(field: HTMLElement, problem: string): void {
    replace(answers, note_box(problem, null));
    field.focus();
  }

  async function run(question: Question): Promise<void> {
    if (!text.value) return miss(text, said.text_missing);
    if (question === "check" && !id.value) return miss(id, said.id_missing);
    const asked = { store: store.name, question, id: id.value, text: text.value };
    const current = latest.begin();
    result = shown = null;
    replace(answers, element("p", { class: "note busy" }, said.asking));
    announce(said.asking);
    ask.disabled = keep.disabled = true;
    try {
      const answer = question === "query" ? await api.query(asked.store, asked.text, current) : await api.check(asked.store, asked.id, asked.text, current);
      const keeper_text = typeof answer.keeper_id === "string" ? await keeper_of(asked.store, answer.keeper_id, current) : undefined;
      result = { ...asked, answer, keeper_text };
      show(result);
      announce(headline(result)[1]);
    } catch (error) {
      if (!was_aborted(error)) replace(answers, problem_box(error, () => void run(question)));
    } finally {
      if (!current.aborted) {
        ask.disabled = false;
        keep.disabled = !may_write();
      }
    }
  }

  function show(given: Result): void {
    const { answer } = given;
    const [kind, title, more] = headline(given);
    const parts: Child[] = [];
    shown = null;
    const threshold = recipe_kind(store).fingerprint ? null : store.rule.threshold;
    const keeper_id = answer.keeper_id;
    if (typeof keeper_id === "string") {
      parts.push(
        element(
          "dl",
          { class: "facts" },
          element("dt", {}, said.keeper),
          element("dd", {}, document_link(given.store, keeper_id)),
          typeof answer.similarity === "number" && [element("dt", {}, said.similarity), element("dd", {}, similarity_bar(answer.similarity, threshold))],
        ),
        button(said.delete_keeper, () => confirm_deletion(given.store, keeper_id, null, deleted), {
          class: "delete undo",
          disabled: !may_write(),
          title: may_write() ? null : said.needs_write,
        }),
      );
      if (typeof given.keeper_text === "string") {
        shown = comparison(given.text, given.keeper_text);
        parts.push(shown.node);
      } else {
        parts.push(element("p", { class: "note" }, given.keeper_text === null ? said.texts_missing : said.copy_keeper_missing));
      }
      if (answer.reason !== "exact_copy") parts.push(passage_list(answer.passages ?? []));
    } else if (given.question === "check" && answer.verdict === "keep") {
      parts.push(element("p", {}, document_link(given.store, given.id)));
    }
    const banner = element("div", { class: `verdict ${kind}` }, element("h2", { tabindex: -1 }, title), element("p", {}, more));
    replace(answers, element("section", { class: "card result" }, banner, parts));
  }

  function deleted(was_stored: boolean): void {
    result = shown = null;
    replace(answers, element("div", { class: "verdict new" }, element("h2", {}, was_stored ? said.deleted : said.delete_gone), element("p", {}, was_stored && said.deleted_more)));
    text.focus();
  }

  if (result && result.store === store.name) show(result);

  const kind = recipe_kind(store);
  const rule = kind.fingerprint ? said.rule_distance(store.rule.max_distance, kind.name) : said.rule_similarity(bound(store.rule.threshold), kind.name);
  const node = element(
    "div",
    { class: "view check" },
    element("h1", { tabindex: -1 }, said.check),
    element("p", { class: "lead" }, said.check_lead, " ", element("span", { class: "note" }, rule)),
    element(
      "section",
      { class: "card form" },
      element("label", { for: "text" }, said.text),
      text,
      element(
        "div",
        { class: "actions" },
        element("div", { class: "action" }, element("div", { class: "tools" }, ask, clear), element("p", { class: "note" }, said.ask_hint)),
        element(
          "div",
          { class: "action" },
          element("div", { class: "tools" }, element("label", { for: "id" }, said.id), id, keep),
          element("p", { class: "note", id: "keep-hint" }, may_write() ? said.keep_hint : said.needs_write),
        ),
      ),
    ),
    answers,
  );
  return { node, run: () => void run("query"), keys: { n: () => shown?.next(), p: () => shown?.previous() } };
};

/** Its text; undefined if it was deleted since the answer. */
async function keeper_of(store: string, id: string, signal: AbortSignal): Promise<string | null | undefined> {
  try {
    return (await api.document(store, id, signal)).text ?? null;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

/** What the answer means: its kind, a title and an explanation. */
function headline({ question, answer, id }: Result): [string, string, Child] {
  const said = words();
  const sequence = whole(answer.sequence ?? 0);
  const not_kept = question === "check" ? ` ${said.not_kept}` : "";
  switch (answer.verdict === null ? "refused" : answer.reason) {
    case "unique":
      return question === "query" ? ["new", said.verdict_new, said.verdict_new_more] : ["kept", said.verdict_kept, said.verdict_kept_more(sequence)];
    case "short":
      return question === "query" ? ["new", said.verdict_short, said.verdict_short_more] : ["kept", said.verdict_kept, said.verdict_kept_short_more(sequence)];
    case "repeated":
      return ["kept", said.verdict_repeated, said.verdict_repeated_more];
    case "exact_copy":
      return ["exact", said.verdict_exact, said.verdict_exact_more + not_kept];
    case "near_duplicate":
      return ["near", said.verdict_near, said.verdict_near_more + not_kept];
    default:
      return ["refused", said.refused, answer.problem ? quoted(answer.problem) : quoted(shortened(id))];
  }
}
