// The latest decisions, newest first; a bounded number of them. It can be paused, because it moves.
import type { Decision } from "../api/types";
import { button, element, quoted } from "../dom";
import { clock, shortened } from "../format";
import { document_link, reason_badge } from "../parts/names";
import { similarity_bar } from "../parts/similarity";
import { words } from "../words/words";

export const kMostDecisions = 50;

export class DecisionList {
  readonly node: HTMLElement;
  private readonly body = element("tbody");
  private readonly none: HTMLElement;
  private readonly table: HTMLElement;
  /** Not yet drawn, oldest first. */
  private waiting: Decision[] = [];
  private frame = 0;
  private paused = false;

  /** `known`: those from before, oldest first. */
  constructor(
    private readonly store: string,
    private readonly threshold: number | null,
    known: Decision[],
  ) {
    const said = words();
    const pause = button(said.pause, () => {
      this.paused = !this.paused;
      pause.textContent = this.paused ? said.resume : said.pause;
      if (!this.paused) this.draw();
    });
    this.none = element("p", { class: "nothing" }, said.decisions_none);
    this.table = element(
      "table",
      { class: "decisions" },
      element("thead", {}, element("tr", {}, [said.time, said.id, said.verdict, said.keeper, said.similarity].map((title) => element("th", { scope: "col" }, title)))),
      this.body,
    );
    this.node = element(
      "section",
      { class: "card" },
      element("div", { class: "bar" }, element("h2", {}, said.decisions), pause),
      element("p", { class: "note" }, said.decisions_lead(kMostDecisions)),
      this.none,
      this.table,
    );
    this.waiting = known.slice(-kMostDecisions);
    this.draw();
  }

  add(decision: Decision): void {
    this.waiting.push(decision);
    if (this.waiting.length > kMostDecisions) this.waiting.shift();
    // All that came since the last picture, at once.
    if (!this.paused && this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    // A frame that was given up will not reset it.
    this.frame = -1;
  }

  private draw(): void {
    this.frame = 0;
    this.body.prepend(...this.waiting.reverse().map((each) => this.row(each)));
    this.waiting = [];
    while (this.body.childElementCount > kMostDecisions) this.body.lastElementChild?.remove();
    this.none.hidden = this.body.childElementCount > 0;
    this.table.hidden = !this.none.hidden;
  }

  private row(each: Decision): HTMLElement {
    const said = words();
    const id = each.id ?? "";
    const stored = each.verdict === "keep";
    const kept_plainly = stored && (each.reason === "unique" || each.reason === undefined);
    return element(
      "tr",
      {},
      element("td", { class: "time" }, clock(each.time)),
      element("th", { scope: "row" }, stored && id ? document_link(this.store, id) : quoted(shortened(id), { class: "name" })),
      element("td", {}, kept_plainly ? element("span", { class: "badge kept" }, said.kept) : reason_badge(each.verdict === null ? undefined : each.reason)),
      element("td", {}, typeof each.keeper_id === "string" && document_link(this.store, each.keeper_id)),
      element("td", { class: "of-similarity" }, typeof each.similarity === "number" && similarity_bar(each.similarity, this.threshold)),
    );
  }
}
