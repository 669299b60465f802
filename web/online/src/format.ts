// Numbers, sizes and times as text, in the language of the page.
import { language, locale } from "./words/words";

const numbers = new Map<string, Intl.NumberFormat>();

export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "–";
  const name = `${locale()} ${digits}`;
  let format = numbers.get(name);
  if (!format) numbers.set(name, (format = new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })));
  return format.format(value);
}

export const whole = (value: number): string => fixed(value, 0);

/** Never "100 %" or "0 %" of what is not all or nothing. */
export function percent(share: number, digits = 1): string {
  if (!Number.isFinite(share)) return "–";
  const unit = 10 ** -digits;
  let value = Math.round((share * 100) / unit) * unit;
  if (share < 1 && value >= 100) value = 100 - unit;
  const less = share > 0 && value < unit;
  const number = fixed(less ? unit : value, !less && (value === 0 || value === 100) ? 0 : digits);
  return `${less ? "<" : ""}${number}${language() === "en" ? "\u202f" : ""}%`;
}

/** Rounded down: what is not equal is never shown as 1.000, nor as the threshold that it misses. */
export const similarity = (value: number): string => fixed(Math.floor(value * 1000 + 1e-7) / 1000, 3);
/** A bound that someone gave, with the digits that it has. */
export const bound = (value: number): string => String(Number(value.toFixed(6)));

export function milliseconds(value: number): string {
  if (value >= 1000) return `${fixed(value / 1000, 1)} s`;
  return `${fixed(value, value === 0 || value >= 100 ? 0 : value >= 1 ? 1 : 2)} ms`;
}

export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  for (; value >= 1024 && unit + 1 < units.length; ++unit) value /= 1024;
  return `${fixed(value, unit === 0 ? 0 : 1)} ${units[unit]}`;
}

const dates = new Map<string, Intl.DateTimeFormat>();
function date_format(kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${locale()} ${kind}`;
  let format = dates.get(name);
  if (!format) dates.set(name, (format = new Intl.DateTimeFormat(locale(), options)));
  return format;
}

export const moment = (time: number): string => date_format("moment", { dateStyle: "medium", timeStyle: "medium" }).format(time);
export const clock = (time: number): string => date_format("clock", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }).format(time);
export const clock_minutes = (time: number): string => date_format("minutes", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(time);

/** An id may be a whole address, or worse: its beginning and its end, cut between characters. */
export function shortened(name: string, longest = 120): string {
  if (name.length <= longest) return name;
  const characters = [...name.slice(0, longest * 2), ...(name.length > longest * 4 ? [] : name.slice(longest * 2))];
  const end = [...name.slice(-longest)];
  return `${characters.slice(0, Math.floor(longest * 0.6)).join("")}…${end.slice(-Math.floor(longest * 0.3)).join("")}`;
}
