// Numbers, sizes and names as text, in the language of the page.
const NOTHING = "–";

const number_formats = new Map();
function number_format(digits) {
  const key = `${language} ${digits}`;
  if (!number_formats.has(key)) {
    number_formats.set(key, new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  }
  return number_formats.get(key);
}

const fixed = (value, digits) => (Number.isFinite(value) ? number_format(digits).format(value) : NOTHING);
const whole = (value) => fixed(value, 0);

// 12,345 as 12.3k: for the cells of the matrix.
function compact(value) {
  if (value < 10000) return whole(value);
  return new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

// Never "100 %" or "0 %" of what is not all or nothing.
function percent(share, digits = 1) {
  if (!Number.isFinite(share)) return NOTHING;
  const unit = 10 ** -digits;
  let value = Math.round((share * 100) / unit) * unit;
  if (share < 1 && value >= 100) value = 100 - unit;
  const less = share > 0 && value < unit;
  const text = fixed(less ? unit : value, digits);
  return `${less ? "<" : ""}${text}${language === "en" ? "\u202f" : ""}%`;
}

// With as many digits as tell it from 1.
function probability(share) {
  for (let digits = 1; digits < 6; ++digits) {
    if (share === 0 || share === 1 || 1 - share >= 10 ** (-digits - 2)) return percent(share, digits);
  }
  return percent(share, 6);
}

const part = (count, total) => (total > 0 ? count / total : NaN);
const similarity_text = (value) => fixed(value, 3);
// A bound such as the threshold, with the digits that it has.
const bound_text = (value) => (Number.isFinite(value) ? String(+value.toFixed(6)) : NOTHING);
// The same of a share.
const bound_percent = (share) => percent(share, (bound_text(share * 100).split(".")[1] || "").length);
// An estimate: no more digits than it is worth.
const about = (value) => (value < 10 ? fixed(value, value > 0 && value < 9.95 ? 1 : 0) : whole(value < 1000 ? value : +value.toPrecision(3)));

function bytes(value) {
  if (!Number.isFinite(value)) return NOTHING;
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  for (; value >= 1024 && unit + 1 < units.length; ++unit) value /= 1024;
  return `${fixed(value, unit === 0 ? 0 : 1)} ${units[unit]}`;
}

function duration(seconds) {
  if (!Number.isFinite(seconds)) return NOTHING;
  if (seconds < 60) return `${fixed(seconds, seconds < 10 ? 2 : 1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${whole(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

const document_name = ({ id, source, row }) => (id !== null && id !== undefined && id !== "" ? String(id) : `${source}:${row}`);

// An id may be a whole address, or worse: its beginning and its end. By characters, so that none is cut in two.
const LONGEST_NAME = 120;
function shortened(name) {
  if (name.length <= LONGEST_NAME) return name;
  const characters = [...name];
  return `${characters.slice(0, LONGEST_NAME * 0.6).join("")}…${characters.slice(-LONGEST_NAME * 0.3).join("")}`;
}

// The folder that all names begin with, with its slash.
function common_folder(names) {
  const folder_of = (name) => name.slice(0, name.lastIndexOf("/", name.length - 2) + 1);
  let common = names.length ? folder_of(names[0]) : "";
  while (common && !names.every((name) => name.startsWith(common))) common = folder_of(common);
  return common;
}

// Source names without the folder that they have in common.
function short_names(names) {
  const common = common_folder(names);
  return names.map((name) => shortened(name.slice(common.length)));
}

// A word as a POSIX shell reads it back.
const shell_word = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${String(word).replaceAll("'", "'\\''")}'`);
