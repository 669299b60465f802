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
  const sketch = member(store.rule.recipe, "sketch");
  const kind = String(member(sketch, "kind") ?? "");
  const short = kind.replace(/_v\d+$/, "");
  const size = member(member(store.rule.recipe, "shingle"), "size");
  const tokenizer = String(member(store.rule.recipe, "tokenizer") ?? "").replace(/_v\d+$/, "");
  const fingerprint = short === "simhash";
  return { name: [short, tokenizer && `${tokenizer}${size === undefined ? "" : `-${String(size)}`}`].filter(Boolean).join(", "), fingerprint };
}
