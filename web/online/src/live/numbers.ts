// Statistics as cards and bars.
import type { Stats } from "../api/types";
import { element, type Child } from "../dom";
import { bytes, fixed, milliseconds, percent, whole } from "../format";
import { words } from "../words/words";
import { shares_of, type Shares } from "./history";

export function number_cards(stats: Stats): HTMLElement {
  const said = words();
  const card = (title: string, figure: string, ...notes: string[]): HTMLElement =>
    element("div", { class: "figure-card" }, element("dt", {}, title), element("dd", {}, element("span", { class: "figure" }, figure), notes.map((note) => element("span", { class: "note" }, note))));
  const rate = stats.checks_per_second;
  const { uptime } = stats;
  return element(
    "dl",
    { class: "figures" },
    card(said.checks_per_second, fixed(rate, rate > 0 && rate < 10 ? 1 : 0), said.last_ten_seconds),
    card(said.check_time, milliseconds(stats.check_ms.p50), said.quantiles, said.p99(milliseconds(stats.check_ms.p99))),
    card(said.sync_time, milliseconds(stats.sync_ms.p50), said.quantiles, said.p99(milliseconds(stats.sync_ms.p99))),
    card(said.stored, whole(stats.documents), said.deleted_count(whole(stats.deleted))),
    card(said.memory, bytes(stats.resident_bytes), said.memory_note),
    card(said.queue, said.queue_value(stats.queue.requests), bytes(stats.queue.bytes)),
    card(said.uptime, said.uptime_value(Math.floor(uptime / 86400), Math.floor(uptime / 3600) % 24, Math.floor(uptime / 60) % 60, uptime % 60)),
  );
}

export function share_bars(stats: Stats, window: Shares | null): HTMLElement {
  const said = words();
  return element("div", { class: "shares" }, share_bar(said.shares_window, window), share_bar(said.shares_since_start, shares_of(stats)));
}

function share_bar(title: string, shares: Shares | null): Child {
  const said = words();
  const total = shares ? Object.values(shares).reduce((sum: number, each: number) => sum + each, 0) : 0;
  const head = element("p", { class: "share-title" }, title, total > 0 && element("span", { class: "note" }, said.shares_of(total)));
  if (!shares || total === 0) return element("div", {}, head, element("p", { class: "note" }, said.shares_none));
  const kinds: [keyof Shares, string][] = [
    ["kept", said.share_kept],
    ["exact", said.share_exact],
    ["near", said.share_near],
    ["repeated", said.share_repeated],
    ["refused", said.share_refused],
  ];
  const shown = kinds.filter(([kind]) => shares[kind] > 0);
  const pieces = shown.map(([kind]) => {
    const piece = element("span", { class: `share ${kind}` });
    piece.style.width = `${(shares[kind] / total) * 100}%`;
    return piece;
  });
  const legend = shown.map(([kind, name]) =>
    element("li", {}, element("span", { class: `key ${kind}`, "aria-hidden": "true" }), `${name} ${percent(shares[kind] / total)}`, element("span", { class: "note" }, ` ${whole(shares[kind])}`)),
  );
  return element("div", {}, head, element("div", { class: "share-bar", "aria-hidden": "true" }, pieces), element("ul", { class: "share-keys" }, legend));
}

/** For the curious: the rest of the statistics. */
export function more_numbers(stats: Stats): HTMLElement {
  const said = words();
  const rows: [string, string][] = [
    [said.record_bytes, bytes(stats.record_bytes)],
    [said.segments, `${whole(stats.segments)}, ${bytes(stats.segment_bytes)}`],
    [said.rows_in_memory, whole(stats.rows_in_memory)],
    [said.template_rows, whole(stats.template_rows)],
    [said.syncs, whole(stats.syncs)],
    [said.conflicts, whole(stats.conflicts)],
  ];
  return element("dl", { class: "facts" }, rows.map(([title, value]) => [element("dt", {}, title), element("dd", {}, value)]));
}
