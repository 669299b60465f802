// What a view is, and the requests that it makes: those that are on their way when it is left are given up.
import type { Route } from "../router";

export interface View {
  node: HTMLElement;
  /** Single keys and what they do. */
  keys?: Record<string, () => void>;
  /** Ctrl+Enter. */
  run?: () => void;
  leave?: () => void;
}

/** Makes a view; `signal` is aborted when it is left. */
export type MakeView = (route: Route, signal: AbortSignal) => View;

/** Only the latest of some requests counts: begins another, giving up the one before. */
export class Latest {
  private current: AbortController | null = null;

  constructor(private readonly outer: AbortSignal) {
    outer.addEventListener("abort", () => this.current?.abort());
  }

  begin(): AbortSignal {
    this.current?.abort();
    this.current = new AbortController();
    if (this.outer.aborted) this.current.abort();
    return this.current.signal;
  }
}

export const was_aborted = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
