// Cuts texts into words and signs, as the language of the text wants it: Chinese has no spaces between words.

/** More Han characters than this share makes a text Chinese. */
const kHanShare = 0.1;
const kSample = 2000;

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(text: string): Intl.Segmenter {
  const sample = text.slice(0, kSample);
  const han = sample.match(/\p{Script=Han}/gu)?.length ?? 0;
  const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sample);
  const locale = kana ? "ja" : han > sample.length * kHanShare ? "zh" : "en";
  let made = segmenters.get(locale);
  if (!made) segmenters.set(locale, (made = new Intl.Segmenter(locale, { granularity: "word" })));
  return made;
}

/** The segments of a text; together they are the text. Null if there are more than `most`. */
export function segments(text: string, most: number): string[] | null {
  const found: string[] = [];
  for (const { segment } of segmenter(text).segment(text)) {
    if (found.length === most) return null;
    found.push(segment);
  }
  return found;
}
