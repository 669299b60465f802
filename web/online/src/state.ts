// What all views share: the key, the stores and the clue indexes of the server, and which of them are chosen.
import type { ClueIndex, Key, Store } from "./api/types";

export interface State {
  /** Null until the server has said it. */
  key: Key | null;
  stores: Store[];
  indexes: ClueIndex[];
  /** Names; null if the server has none. The route may name one that the server does not have. */
  store: string | null;
  index: string | null;
}

export const state: State = { key: null, stores: [], indexes: [], store: null, index: null };

export const may_write = (): boolean => state.key !== null && (!state.key.keys || state.key.role === "write" || state.key.role === "admin");
export const chosen_store = (): Store | null => state.stores.find((each) => each.name === state.store) ?? null;
export const chosen_index = (): ClueIndex | null => state.indexes.find((each) => each.name === state.index) ?? null;

export function forget(): void {
  Object.assign(state, { key: null, stores: [], indexes: [], store: null, index: null });
}

/** The name of a recipe's kind, and whether its similarity is one of fingerprints, which has a greatest distance in place of a threshold. */
export function recipe_kind(store: Store): { name: string; fingerprint: boolean } {
  const member = (of: unknown, name: string): unknown => (of && typeof of === "object" ? (of as Record<string, unknown>)[name] : undefined);
  const recipe = parsed(store.rule.recipe);
  const sketch = member(recipe, "sketch");
  const size = member(member(recipe, "shingle"), "size");
  const name_of = (value: unknown): string => String(value ?? "").replace(/_v\d+$/, "");
  const grams = name_of(member(recipe, "tokenizer")) + (size === undefined ? "" : `-${String(size)}`);
  return { name: [name_of(member(sketch, "kind")), grams].filter(Boolean).join(", "), fingerprint: member(sketch, "bits") !== undefined };
}

/** The recipe is a text of JSON within the JSON. */
function parsed(recipe: unknown): unknown {
  if (typeof recipe !== "string") return recipe;
  try {
    return JSON.parse(recipe);
  } catch {
    return null;
  }
}
