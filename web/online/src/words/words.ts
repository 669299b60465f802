// The page's words in the language that was chosen. Both languages have the same entries: their type is that of English.
import { settings } from "../settings";
import { en } from "./en";
import { zh } from "./zh";

export type Words = typeof en;
export type Language = "en" | "zh";

export const LANGUAGES: readonly [Language, string, string][] = [
  ["en", "English", "en"],
  ["zh", "中文", "zh-CN"],
];

let chosen: Language = initial_language();

function initial_language(): Language {
  const remembered = settings.language();
  if (remembered === "en" || remembered === "zh") return remembered;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export const language = (): Language => chosen;
/** As Intl and the lang attribute want it. */
export const locale = (): string => (chosen === "zh" ? "zh-CN" : "en");
export function choose_language(language: Language): void {
  chosen = language;
  settings.set_language(language);
}

export const words = (): Words => (chosen === "zh" ? zh : en);
