// Calls of the service. A call that fails throws Problem, whatever the reason; one that was given up throws the AbortError of fetch.
import { settings } from "../settings";
import type { Answer, Clue, ClueIndex, Cluster, ClusterList, DocumentPage, Hits, IndexedText, Key, Store, StoredDocument } from "./types";

/** An RFC 9457 problem of the server; status 0: it did not answer. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    /** Seconds after which to try again, if the server said so. */
    readonly retry_after: number | null = null,
  ) {
    super(detail || title);
  }
}

let key = settings.key();
let on_unauthorized: () => void = () => {};

export const has_key = (): boolean => key !== null;
export function set_key(given: string | null): void {
  key = given;
  settings.set_key(given);
}
/** `called` whenever the server answers 401. */
export function when_unauthorized(called: () => void): void {
  on_unauthorized = called;
}

interface Options {
  signal?: AbortSignal | undefined;
  body?: unknown;
  accept?: string;
}

/** The response, if it is not a problem. */
export async function send(method: string, path: string, { signal, body, accept }: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: accept ?? "application/json" };
  if (key !== null) headers["Authorization"] = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent_with = key;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "", "");
  }
  if (response.ok) return response;
  const problem = await problem_of(response);
  // An answer to a key that was replaced meanwhile says nothing about the new one.
  if (response.status === 401 && sent_with === key) on_unauthorized();
  throw problem;
}

async function problem_of(response: Response): Promise<Problem> {
  const retry = Number(response.headers.get("Retry-After"));
  const retry_after = retry > 0 ? retry : null;
  try {
    const said: unknown = JSON.parse(await response.text());
    const member = (name: string): string => {
      const value = said && typeof said === "object" ? (said as Record<string, unknown>)[name] : undefined;
      return typeof value === "string" ? value : "";
    };
    return new Problem(response.status, member("title") || response.statusText, member("detail"), retry_after);
  } catch {
    return new Problem(response.status, response.statusText, "", retry_after);
  }
}

async function json<Shape>(method: string, path: string, options: Options = {}): Promise<Shape> {
  const response = await send(method, path, options);
  try {
    return (await response.json()) as Shape;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "", "");
  }
}

const store_path = (store: string): string => `/v1/stores/${encodeURIComponent(store)}`;
const index_path = (index: string): string => `/v1/clue-indexes/${encodeURIComponent(index)}`;

/** Browsers read "." and ".." as steps in a path, even if they are encoded: documents with these ids have no address. */
export const has_address = (id: string): boolean => id !== "." && id !== "..";

export const events_path = (store: string): string => `${store_path(store)}/events`;

export const api = {
  key: (signal?: AbortSignal) => json<Key>("GET", "/v1/key", { signal }),
  stores: async (signal?: AbortSignal) => (await json<{ stores: Store[] }>("GET", "/v1/stores", { signal })).stores,
  clue_indexes: async (signal?: AbortSignal) => (await json<{ clue_indexes: ClueIndex[] }>("GET", "/v1/clue-indexes", { signal })).clue_indexes,
  query: (store: string, text: string, signal?: AbortSignal) =>
    json<Answer>("POST", `${store_path(store)}/query`, { body: { text, explain: true }, signal }),
  check: (store: string, id: string, text: string, signal?: AbortSignal) =>
    json<Answer>("POST", `${store_path(store)}/check`, { body: { id, text, explain: true }, signal }),
  documents: (store: string, after: number | null, limit: number, signal?: AbortSignal) =>
    json<DocumentPage>("GET", `${store_path(store)}/documents?limit=${limit}${after === null ? "" : `&after=${after}`}`, { signal }),
  document: (store: string, id: string, signal?: AbortSignal) =>
    json<StoredDocument>("GET", `${store_path(store)}/documents/${encodeURIComponent(id)}`, { signal }),
  clusters: (store: string, limit: number, signal?: AbortSignal) => json<ClusterList>("GET", `${store_path(store)}/clusters?limit=${limit}`, { signal }),
  cluster: (store: string, id: string, signal?: AbortSignal) => json<Cluster>("GET", `${store_path(store)}/clusters/${encodeURIComponent(id)}`, { signal }),
  /** Whether it was stored. In a body, because not every id has an address. */
  remove: async (store: string, id: string) =>
    (await json<{ deleted: boolean[] }>("POST", `${store_path(store)}/delete-batch`, { body: { ids: [id] } })).deleted[0] === true,
  search: (index: string, clue: Clue, signal?: AbortSignal) => json<Hits>("POST", `${index_path(index)}/search`, { body: clue, signal }),
  text: (index: string, id: number, signal?: AbortSignal) => json<IndexedText>("GET", `${index_path(index)}/texts/${id}`, { signal }),
};
