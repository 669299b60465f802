// The chart of checks per second, by uPlot.
import uPlot from "uplot";
import { announce, element } from "../dom";
import { clock, clock_minutes, whole } from "../format";
import { words } from "../words/words";
import { kWindow } from "./history";

const kFont = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
const kHeight = 210;

export type Rates = [number[], (number | null)[], (number | null)[]];

export class RateChart {
  readonly node: HTMLElement;
  private readonly box: HTMLElement;
  private readonly reading: HTMLElement;
  private plot: uPlot | null = null;
  private rates: Rates = [[], [], []];
  private readonly resized: ResizeObserver;
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly recolour = (): void => this.draw();

  constructor() {
    this.reading = element("p", { class: "reading note" });
    this.box = element("div", { class: "chart", role: "img", tabindex: 0, onkeydown: (event: KeyboardEvent) => this.pressed(event) });
    this.node = element("div", {}, this.box, this.reading);
    this.resized = new ResizeObserver(() => {
      const width = Math.floor(this.box.clientWidth);
      if (width > 0 && this.plot && width !== this.plot.width) this.plot.setSize({ width, height: kHeight });
      else if (width > 0 && !this.plot) this.draw();
    });
    this.resized.observe(this.box);
    this.dark.addEventListener("change", this.recolour);
  }

  close(): void {
    this.resized.disconnect();
    this.dark.removeEventListener("change", this.recolour);
    this.plot?.destroy();
    this.plot = null;
  }

  set(rates: Rates): void {
    this.rates = rates;
    const known = rates[1].filter((each): each is number => each !== null);
    const said = words();
    const most = known.reduce((a, b) => Math.max(a, b), 0);
    this.box.setAttribute("aria-label", known.length ? `${said.chart_alt(whole(known[known.length - 1] ?? 0), whole(most))} ${said.chart_keys}` : said.chart_none);
    // The scale of x is set with the data, so that both move together.
    this.plot?.setData(rates);
  }

  private draw(): void {
    const width = Math.floor(this.box.clientWidth);
    if (width <= 0) return;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(width), this.rates, this.box);
  }

  private options(width: number): uPlot.Options {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    const axis: uPlot.Axis = { stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1, size: 5 }, font: kFont };
    return {
      width,
      height: kHeight,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      scales: {
        x: {
          time: true,
          range: () => {
            const times = this.rates[0];
            const last = times[times.length - 1] ?? Date.now() / 1000;
            return [last - kWindow, last];
          },
        },
        y: { range: (_, __, most) => [0, Math.max(10, (most ?? 0) * 1.1)] },
      },
      axes: [
        { ...axis, size: 30, space: 70, incrs: [60, 120, 300], values: (_, splits) => splits.map((each) => clock_minutes(each * 1000)) },
        {
          ...axis,
          space: 36,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
          values: (_, splits) => splits.map((each) => whole(each)),
          // As wide as its longest number: uPlot's own width cuts numbers of five digits and more.
          size: (plot, values) => {
            plot.ctx.save();
            plot.ctx.font = kFont;
            const widest = (values ?? []).reduce((most, each) => Math.max(most, plot.ctx.measureText(each).width), 0);
            plot.ctx.restore();
            return Math.ceil(widest) + 18;
          },
        },
      ],
      series: [
        {},
        { stroke: colour("accent"), width: 2, points: { show: false } },
        { stroke: colour("near"), width: 1.5, fill: colour("near-fill"), points: { show: false } },
      ],
      hooks: { setCursor: [(plot) => this.read(plot)] },
    };
  }

  private read(plot: uPlot): void {
    const { idx: index, left } = plot.cursor;
    const shown = index !== null && index !== undefined && left !== undefined && left >= 0;
    this.reading.textContent = shown ? this.describe(index) : "";
  }

  private describe(index: number): string {
    const number = (value: number | null | undefined): string => (typeof value === "number" ? whole(value) : "–");
    return words().chart_reading(clock((this.rates[0][index] ?? 0) * 1000), number(this.rates[1][index]), number(this.rates[2][index]));
  }

  private pressed(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const plot = this.plot;
    if (!step || !plot) return;
    event.preventDefault();
    const times = this.rates[0];
    const from = plot.cursor.idx ?? (step > 0 ? -1 : times.length);
    const index = Math.min(Math.max(from + step, 0), times.length - 1);
    const time = times[index];
    if (time === undefined) return;
    plot.setCursor({ left: plot.valToPos(time, "x"), top: kHeight / 3 });
    announce(this.describe(index));
  }
}
