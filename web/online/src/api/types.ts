// Shapes of the API, as /openapi.json describes them. Times are milliseconds since 1970.

export type Role = "none" | "read" | "write" | "admin";
export interface Key {
  role: Role;
  /** False: the server asks for no keys, and everything is allowed. */
  keys: boolean;
  version: string;
}

export interface Rule {
  recipe: unknown;
  threshold: number;
  max_distance: number;
  min_length: number;
  ttl: number | null;
  texts: boolean;
}
export interface Store {
  name: string;
  rule: Rule;
  documents: number;
  next_sequence: number;
}

export interface Passage {
  text: string;
  tokens: number;
}
export type RemovalReason = "exact_copy" | "near_duplicate";
export type Reason = "unique" | "short" | "repeated" | RemovalReason;
export interface Answer {
  id: string | null;
  verdict: "keep" | "remove" | null;
  reason?: Reason;
  keeper_id?: string | null;
  similarity?: number | null;
  sequence?: number;
  problem?: string;
  passages?: Passage[];
}

/** `text` is null in a store without texts, and missing in lists. */
export interface StoredDocument {
  id: string;
  sequence: number;
  time: number;
  expires: number | null;
  text?: string | null;
}
export interface DocumentPage {
  documents: StoredDocument[];
  next: number | null;
}

export interface Duplicate {
  id: string;
  reason: RemovalReason;
  similarity: number;
  time: number;
}
export interface Cluster {
  keeper_id: string;
  sequence: number;
  removed: number;
  duplicates: Duplicate[];
}
export interface ClusterList {
  clusters: Cluster[];
  remembered: number;
}

export interface Quantiles {
  p50: number;
  p99: number;
}
export interface Stats {
  name: string;
  documents: number;
  deleted: number;
  record_bytes: number;
  segments: number;
  segment_bytes: number;
  rows_in_memory: number;
  template_rows: number;
  checked: number;
  kept: number;
  removed: Record<RemovalReason, number>;
  repeated: number;
  conflicts: number;
  refused: number;
  syncs: number;
  checks_per_second: number;
  check_ms: Quantiles;
  sync_ms: Quantiles;
  queue: { requests: number; bytes: number };
  resident_bytes: number;
  uptime: number;
}
export interface Decision {
  id: string | null;
  verdict: "keep" | "remove" | null;
  reason?: Reason;
  keeper_id?: string | null;
  similarity?: number | null;
  time: number;
}

export interface ClueIndex {
  name: string;
  texts: number;
}
export type ClueMode = "contains" | "resembles";
export interface Clue {
  clue: string;
  mode: ClueMode;
  edits?: number;
  threshold?: number;
  limit: number;
}
/** `begin` and `end` are bytes of the passage in the UTF-8 of the text. */
export interface Hit {
  id: number;
  name: string;
  begin: number;
  end: number;
  passage: string;
  similarity: number;
  edits: number;
  occurrences: number;
  text_bytes: number;
  differences?: string;
}
export interface Hits {
  hits: Hit[];
  certainty: "exact" | "likely" | "scan";
  predicted_recall: number;
  more: boolean;
  count: number;
}
export interface IndexedText {
  id: number;
  name: string;
  text: string;
}
