// The page of `neardup serve`: its frame, and which view is in it.
import { api, has_key, set_key, when_unauthorized } from "./api/client";
import type { Key } from "./api/types";
import { announce, announcer, button, element, replace } from "./dom";
import { close_dialogs, dialog_is_open, show_keys } from "./parts/dialogs";
import { note_box, problem_box } from "./parts/problem";
import type { MakeView, View } from "./parts/view";
import { current_route, go, link, type Route, type ViewName } from "./router";
import { settings } from "./settings";
import { chosen_index, chosen_store, forget, state } from "./state";
import { check_view, forget_check } from "./views/check";
import { clusters_view } from "./views/clusters";
import { document_view } from "./views/document";
import { documents_view } from "./views/documents";
import { key_view } from "./views/key";
import { forget_live, live_view } from "./views/live";
import { forget_search, search_view } from "./views/search";
import { text_view } from "./views/text";
import { LANGUAGES, choose_language, language, words } from "./words/words";

const kMakers: Record<ViewName, MakeView> = {
  check: check_view,
  search: search_view,
  clusters: clusters_view,
  documents: documents_view,
  live: live_view,
  document: document_view,
  text: text_view,
};
/** Those that the navigation names, in this order. */
const kTabs = ["check", "search", "clusters", "documents", "live"] as const;
const kOfIndexes: readonly ViewName[] = ["search", "text"];
const tab_of = (view: ViewName): ViewName => (view === "document" ? "documents" : view === "text" ? "search" : view);

type Phase = "starting" | "failed" | "key" | "ready";
let phase: Phase = "starting";
/** Which time it is that the server is asked what there is: an answer to an earlier one comes too late. */
let loading = 0;
let view: View | null = null;
let leaving = new AbortController();

// What can be pressed while the page still asks what there is stays the same element when it is drawn anew: it keeps the focus, and a press
// that began before is one.
const who = element("span", { class: "who" });
const languages = LANGUAGES.map(([name, title, lang]) => button(title, () => speak(name), { lang, "data-language": name }));
const choice = element("span", { class: "choice", role: "group" }, languages);
const help = button("?", show_keys, { class: "quiet show-keys" });
const tools = element("div", { class: "tools" }, who, choice, help);
const nav = element("nav");
const picker = element("section", { class: "picker" });
const main = element("main", { id: "main", tabindex: -1 });
const skip = element("a", { class: "skip", href: "#main" });
const version = element("span");
const footer = element("footer", {}, version, element("a", { href: "/openapi.json" }, "OpenAPI"));

function leave_view(): void {
  // A window that is open without a view is the list of keys, which is about none.
  if (view) close_dialogs();
  leaving.abort();
  leaving = new AbortController();
  view?.leave?.();
  view = null;
}

/** What is around the view. */
function draw_frame(): void {
  const said = words();
  const route = current_route();
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  skip.textContent = said.skip;
  const { key } = state;
  replace(
    who,
    key && element("span", { class: "role" }, key.keys ? said.role(key.role) : said.no_keys),
    key?.keys && button(said.sign_out, sign_out, { class: "quiet sign-out" }),
  );
  choice.setAttribute("aria-label", said.language);
  for (const each of languages) each.setAttribute("aria-pressed", String(each.dataset["language"] === language()));
  help.setAttribute("aria-label", said.keys);
  help.title = said.keys;
  nav.setAttribute("aria-label", said.views);
  nav.hidden = picker.hidden = phase !== "ready";
  const current = tab_of(route.view);
  replace(
    nav,
    kTabs.map((name) =>
      element("a", { href: link(name, kOfIndexes.includes(name) ? { index: state.index } : { store: state.store }), "aria-current": name === current ? "page" : null }, said[name]),
    ),
  );
  draw_picker(route);
  version.textContent = key ? `neardup ${key.version}` : "";
}

function draw_picker(route: Route): void {
  const said = words();
  const of_indexes = kOfIndexes.includes(route.view);
  const names = (of_indexes ? state.indexes : state.stores).map((each) => each.name);
  const chosen = of_indexes ? state.index : state.store;
  const select = element(
    "select",
    {
      id: "picked",
      onchange: () => {
        if (of_indexes) go("search", { index: select.value });
        else go(route.view === "document" ? "documents" : route.view, { store: select.value });
      },
    },
    // A name that the server does not have: nobody can choose it, but the address says it.
    chosen !== null && !names.includes(chosen) && element("option", { value: chosen }, chosen),
    names.map((name) => element("option", { value: name }, name)),
  );
  select.value = chosen ?? "";
  picker.setAttribute("aria-label", of_indexes ? said.clue_index : said.store);
  replace(picker, names.length > 0 && [element("label", { for: "picked" }, of_indexes ? said.clue_index : said.store), select]);
}

/** The view of the address. */
function draw_view(focus: boolean): void {
  leave_view();
  const route = current_route();
  const said = words();
  if (phase === "ready") choose_by(route);
  draw_frame();
  document.title = `${phase === "key" ? said.key_title : said[route.view]} · neardup`;
  if (phase === "starting") replace(main, element("p", { class: "note" }, said.loading));
  if (phase === "key") replace(main, key_view(has_key(), entered));
  if (phase === "ready") replace(main, ready_view(route));
  if (phase === "key") main.querySelector<HTMLElement>("[data-focus]")?.focus();
  else if (focus) main.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
}

function choose_by({ view: name, parameters }: Route): void {
  const store = parameters.get("store");
  const index = parameters.get("index");
  if (kOfIndexes.includes(name)) state.index = index ?? state.index;
  else state.store = store ?? state.store;
}

function ready_view(route: Route): HTMLElement {
  const said = words();
  const missing = (title: string, more: string, example: string): HTMLElement =>
    element("div", { class: "view" }, element("h1", { tabindex: -1 }, said[route.view]), element("section", { class: "card" }, element("p", { class: "nothing" }, title), element("p", {}, more), element("pre", { tabindex: 0 }, element("code", {}, example))));
  if (kOfIndexes.includes(route.view)) {
    if (!state.indexes.length) return missing(said.no_indexes, said.no_indexes_more, "neardup index build texts corpus.jsonl --kind clue\nneardup serve --clue-index texts …");
    if (!chosen_index()) return element("div", { class: "view" }, element("h1", { tabindex: -1 }, said.search), note_box(said.unknown_index(state.index ?? ""), null));
  } else {
    if (!state.stores.length) return missing(said.no_stores, said.no_stores_more, "neardup serve news\nPUT /v1/stores/news  {\"recipe\": \"words-5\", \"threshold\": 0.8}");
    if (!chosen_store()) return element("div", { class: "view" }, element("h1", { tabindex: -1 }, said[route.view]), note_box(said.unknown_store(state.store ?? ""), null));
  }
  view = kMakers[route.view](route, leaving.signal);
  return view.node;
}

/** Asks the server what there is. */
async function load(known: Key | null = null): Promise<void> {
  phase = "starting";
  const turn = ++loading;
  draw_view(false);
  try {
    const key = known ?? (await api.key());
    if (turn !== loading) return;
    state.key = key;
    const [stores, indexes] = await Promise.all([api.stores(), api.clue_indexes()]);
    if (turn !== loading) return;
    [state.stores, state.indexes] = [stores, indexes];
    state.store ??= state.stores[0]?.name ?? null;
    state.index ??= state.indexes[0]?.name ?? null;
    phase = "ready";
    draw_view(known !== null);
  } catch (error) {
    if (turn !== loading) return;  // asked anew, or the key is being asked for
    phase = "failed";
    draw_view(false);
    replace(main, element("div", { class: "view" }, element("h1", {}, words().title), problem_box(error, () => void load())));
  }
}

function entered(key: Key): void {
  void load(key);
}

function ask_for_key(): void {
  if (phase === "key") return;
  phase = "key";
  ++loading;
  state.key = null;
  draw_view(false);
}

function sign_out(): void {
  set_key(null);
  forget();
  forget_check();
  forget_search();
  forget_live();
  ask_for_key();
  announce(words().signed_out);
}

function speak(name: (typeof LANGUAGES)[number][0]): void {
  choose_language(name);
  if (phase === "failed") void load();
  else draw_view(false);
  languages.find((each) => each.dataset["language"] === name)?.focus();
}

/** To the text or the clue of this view, or to that of the check. */
function go_to_field(): void {
  if (phase === "ready" && !main.querySelector("[data-focus]")) {
    history.pushState(null, "", link("check", { store: state.store }));
    draw_view(false);
  }
  main.querySelector<HTMLElement>("[data-focus]")?.focus();
}

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || dialog_is_open()) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    view?.run?.();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !settings.single_keys()) return;
  const target = event.target;
  if (target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))) return;
  const tab = phase === "ready" ? kTabs[Number(event.key) - 1] : undefined;
  const command =
    event.key === "?"
      ? show_keys
      : event.key === "/"
        ? go_to_field
        : tab
          ? () => go(tab, kOfIndexes.includes(tab) ? { index: state.index } : { store: state.store })
          : view?.keys?.[event.key];
  if (!command) return;
  event.preventDefault();
  command();
}

skip.addEventListener("click", (event) => {
  event.preventDefault();  // the fragment is the view's
  main.focus();
});
document.body.append(
  skip,
  element("header", {}, element("div", { class: "inner" }, element("a", { class: "brand", href: "#/check" }, element("span", { class: "logo", "aria-hidden": "true" }), element("span", {}, "neardup")), nav, tools)),
  element("div", { class: "inner body" }, picker, main, footer),
  announcer(),
);
addEventListener("hashchange", () => {
  if (phase === "ready") draw_view(true);
});
addEventListener("keydown", pressed);
when_unauthorized(ask_for_key);
void load();
