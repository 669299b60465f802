// Where two texts differ, by words: a longest common subsequence of what is left between their common beginning and end.
import { segments } from "./segments";

/** What both texts have, or what one or both have in its place. */
export interface Part {
  equal: boolean;
  left: string;
  right: string;
}

/** The table of the subsequence has the product of both lengths. */
export const kMostSegments = 4000;

/** The texts, cut into parts that are equal and parts that differ, in turn. Null if the part that differs has too many segments. */
export function differences(left: string, right: string): Part[] | null {
  const [begin, end] = common_ends(left, right);
  const left_middle = segments(left.slice(begin, left.length - end), kMostSegments);
  const right_middle = segments(right.slice(begin, right.length - end), kMostSegments);
  if (!left_middle || !right_middle) return null;
  const parts: Part[] = [];
  const head = left.slice(0, begin);
  const tail = left.slice(left.length - end);
  push(parts, true, head, head);
  for (const part of middle(left_middle, right_middle)) push(parts, part.equal, part.left, part.right);
  push(parts, true, tail, tail);
  return without_slivers(parts);
}

function push(parts: Part[], equal: boolean, left: string, right: string): void {
  if (!left && !right) return;
  const last = parts[parts.length - 1];
  if (last && last.equal === equal) {
    last.left += left;
    last.right += right;
  } else {
    parts.push({ equal, left, right });
  }
}

/** How far a cut may be moved to a place between words. */
const kLongestWord = 200;
const kWordCharacter = /[\p{L}\p{M}\p{N}\p{Pc}\p{Cs}\u200d\ufe0f]/u;

/** Lengths of the common beginning and end, cut between words, which do not overlap. */
function common_ends(left: string, right: string): [number, number] {
  const shorter = Math.min(left.length, right.length);
  let begin = 0;
  while (begin < shorter && left.charCodeAt(begin) === right.charCodeAt(begin)) ++begin;
  if (begin === left.length && begin === right.length) return [begin, 0];
  begin = between_words(left, begin, -1);
  let end = 0;
  while (end < shorter - begin && left.charCodeAt(left.length - 1 - end) === right.charCodeAt(right.length - 1 - end)) ++end;
  end = left.length - between_words(left, left.length - end, 1);
  return [begin, end];
}

/** The nearest place in this direction at which the character towards the common part is not of a word. */
function between_words(text: string, place: number, direction: -1 | 1): number {
  const within = (at: number): boolean => {
    const character = text[direction < 0 ? at - 1 : at];
    return character !== undefined && kWordCharacter.test(character);
  };
  let at = place;
  for (let moved = 0; moved < kLongestWord && within(at); ++moved) at += direction;
  return at;
}

function* middle(left: string[], right: string[]): Generator<Part> {
  // lengths[i][j]: of the longest common subsequence of what follows i and j.
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const numbers = new Map<string, number>();
  const number = (segment: string): number => {
    let found = numbers.get(segment);
    if (found === undefined) numbers.set(segment, (found = numbers.size));
    return found;
  };
  const a = Uint16Array.from(left, number);
  const b = Uint16Array.from(right, number);
  const at = (place: number): number => lengths[place] as number;
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1, row = i * width; j >= 0; --j) {
      lengths[row + j] = a[i] === b[j] ? at(row + width + j + 1) + 1 : Math.max(at(row + width + j), at(row + j + 1));
    }
  }
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const segment = left[i] ?? "";
    if (i < a.length && j < b.length && a[i] === b[j]) {
      yield { equal: true, left: segment, right: segment };
      ++i;
      ++j;
    } else if (j === b.length || (i < a.length && at((i + 1) * width + j) >= at(i * width + j + 1))) {
      yield { equal: false, left: segment, right: "" };
      ++i;
    } else {
      yield { equal: false, left: "", right: right[j] ?? "" };
      ++j;
    }
  }
}

/** Joins differences with nothing but a blank between them. */
function without_slivers(parts: Part[]): Part[] {
  const merged: Part[] = [];
  parts.forEach((part, index) => {
    const sliver = part.equal && index > 0 && index + 1 < parts.length && /^\s{1,2}$/.test(part.left);
    push(merged, part.equal && !sliver, part.left, part.right);
  });
  return merged;
}
