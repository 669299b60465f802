// The statistics of the last five minutes, of which the chart and the shares are made. Counts begin anew when the server does.
import type { Stats } from "../api/types";

export const kWindow = 300;
/** Statistics come every second; a longer silence is drawn as a gap. */
const kGap = 3.5;

interface Sample {
  /** Seconds since 1970, by the clock of the page. */
  time: number;
  stats: Stats;
}

export interface Shares {
  kept: number;
  exact: number;
  near: number;
  repeated: number;
  refused: number;
}

export const shares_of = (stats: Stats): Shares => ({
  kept: stats.kept,
  exact: stats.removed.exact_copy,
  near: stats.removed.near_duplicate,
  repeated: stats.repeated,
  refused: stats.refused + stats.conflicts,
});

const removed = (stats: Stats): number => stats.removed.exact_copy + stats.removed.near_duplicate;
const is_restart = (before: Stats, after: Stats): boolean => after.uptime < before.uptime || after.checked < before.checked;

export class History {
  private samples: Sample[] = [];

  add(stats: Stats, time: number): void {
    this.samples.push({ time, stats });
    const first = this.samples.findIndex((each) => each.time >= time - kWindow);
    if (first > 0) this.samples.splice(0, first);
  }

  latest(): Stats | null {
    return this.samples[this.samples.length - 1]?.stats ?? null;
  }

  /** Of each second: the time, checks, and duplicates among them; null where nothing is known. */
  rates(): [number[], (number | null)[], (number | null)[]] {
    const times: number[] = [];
    const checks: (number | null)[] = [];
    const duplicates: (number | null)[] = [];
    for (let index = 1; index < this.samples.length; ++index) {
      const before = this.samples[index - 1] as Sample;
      const after = this.samples[index] as Sample;
      const seconds = after.time - before.time;
      if (seconds <= 0) continue;
      times.push(after.time);
      const known = seconds <= kGap && !is_restart(before.stats, after.stats);
      checks.push(known ? (after.stats.checked - before.stats.checked) / seconds : null);
      duplicates.push(known ? (removed(after.stats) - removed(before.stats)) / seconds : null);
    }
    return [times, checks, duplicates];
  }

  /** What was decided within the window; since the last start of the server, if that was within it. */
  window(): Shares | null {
    const last = this.samples[this.samples.length - 1];
    if (!last) return null;
    let first = last.stats;
    for (let index = this.samples.length - 2; index >= 0; --index) {
      const stats = (this.samples[index] as Sample).stats;
      if (is_restart(stats, first)) break;
      first = stats;
    }
    const [from, to] = [shares_of(first), shares_of(last.stats)];
    return { kept: to.kept - from.kept, exact: to.exact - from.exact, near: to.near - from.near, repeated: to.repeated - from.repeated, refused: to.refused - from.refused };
  }
}
