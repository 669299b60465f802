// The page's languages: words_en.js and words_zh.js fill WORDS with the same keys; a value is a text, or a function that makes one.
const WORDS = {};
let language = "en";

function say(key, ...values) {
  const entry = WORDS[language][key];
  return typeof entry === "function" ? entry(...values) : entry;
}
