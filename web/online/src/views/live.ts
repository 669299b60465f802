// Statistics of the store as they come, and its latest decisions. The stream is open only while this view can be seen: browsers allow six
// connections to a server, and pages in the background would use them up.
import { EventStream, type StreamState } from "../api/stream";
import { events_path } from "../api/client";
import type { Decision, Stats, Store } from "../api/types";
import { button, element, replace } from "../dom";
import { RateChart } from "../live/chart";
import { DecisionList, kMostDecisions } from "../live/decisions";
import { History } from "../live/history";
import { more_numbers, number_cards, share_bars } from "../live/numbers";
import { problem_box } from "../parts/problem";
import type { MakeView } from "../parts/view";
import { chosen_store, recipe_kind } from "../state";
import { words } from "../words/words";

/** A page that is hidden only for a moment keeps its connection. */
const kHiddenPatience = 20_000;

// Survives a change of the view or of the language.
let remembered: { store: string; history: History; decisions: Decision[] } | null = null;

/** After signing out. */
export function forget_live(): void {
  remembered = null;
}

export const live_view: MakeView = () => {
  const said = words();
  const store = chosen_store() as Store;
  if (remembered?.store !== store.name) remembered = { store: store.name, history: new History(), decisions: [] };
  const { history, decisions } = remembered;
  const chart = new RateChart();
  const list = new DecisionList(store.name, recipe_kind(store).fingerprint ? null : store.rule.threshold, decisions);
  const status = element("div", { class: "stream-state" });
  const cards = element("div");
  const shares = element("div");
  const more = element("div");
  let stream: EventStream | null = null;
  let hidden_timer = 0;
  let countdown = 0;

  function show_state(state: StreamState | { kind: "hidden" }): void {
    clearInterval(countdown);
    const line = (kind: string, text: string, ...tools: HTMLElement[]): void => {
      // Its kind changes rarely: what is said aloud is not every second of a countdown.
      status.className = `stream-state ${kind}`;
      replace(status, element("span", { class: "dot", "aria-hidden": "true" }), element("span", { role: "status" }, text), tools);
    };
    if (state.kind === "open") line("open", said.stream_open);
    else if (state.kind === "connecting") line("connecting", said.stream_connecting);
    else if (state.kind === "hidden") line("waiting", said.stream_hidden);
    else if (state.kind === "stopped") replace(status, problem_box(state.problem, connect));
    else {
      let { seconds } = state;
      line("waiting", said.stream_waiting(seconds), button(said.connect_now, () => stream?.retry()));
      const text = status.querySelector("[role=status]");
      text?.setAttribute("aria-atomic", "true");
      countdown = setInterval(() => {
        seconds = Math.max(1, seconds - 1);
        if (text) text.textContent = said.stream_waiting(seconds);
      }, 1000);
    }
  }

  function receive(name: string, data: string): void {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return;  // not ours
    }
    if (name === "stats") {
      history.add(value as Stats, Date.now() / 1000);
      show_stats();
    } else if (name === "decision") {
      decisions.push(value as Decision);
      if (decisions.length > kMostDecisions) decisions.shift();
      list.add(value as Decision);
    }
  }

  function show_stats(): void {
    const stats = history.latest();
    if (!stats) return;
    replace(cards, number_cards(stats));
    replace(shares, share_bars(stats, history.window()));
    replace(more, more_numbers(stats));
    chart.set(history.rates());
  }

  function connect(): void {
    stream?.close();
    stream = new EventStream(events_path(store.name), { event: receive, state: show_state });
  }

  function visibility(): void {
    clearTimeout(hidden_timer);
    if (document.hidden) {
      hidden_timer = setTimeout(() => {
        stream?.close();
        stream = null;
        show_state({ kind: "hidden" });
      }, kHiddenPatience);
    } else if (!stream) {
      connect();
    }
  }

  chart.set(history.rates());
  show_stats();
  document.addEventListener("visibilitychange", visibility);
  connect();

  const node = element(
    "div",
    { class: "view live" },
    element("div", { class: "title-line" }, element("h1", { tabindex: -1 }, said.live), status),
    element("p", { class: "lead" }, said.live_lead),
    element("section", { class: "card", "aria-label": said.live }, cards),
    element(
      "section",
      { class: "card" },
      element(
        "div",
        { class: "bar" },
        element("h2", {}, said.checks_per_second),
        element("span", { class: "note chart-key" }, element("span", { class: "key line-near", "aria-hidden": "true" }), said.chart_removed),
      ),
      chart.node,
    ),
    element("section", { class: "card" }, element("h2", {}, said.shares), shares, element("details", {}, element("summary", {}, said.more_numbers), more)),
    list.node,
  );
  return {
    node,
    leave() {
      document.removeEventListener("visibilitychange", visibility);
      clearTimeout(hidden_timer);
      clearInterval(countdown);
      stream?.close();
      chart.close();
      list.close();
    },
  };
};
