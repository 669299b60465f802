// Server-sent events over fetch, because EventSource cannot send a key. Connects again whenever the stream ends, after waits that double up to
// kLongestWait; the first event of a connection resets them.
import { Problem, send } from "./client";

export type StreamState = { kind: "connecting" } | { kind: "open" } | { kind: "waiting"; seconds: number } | { kind: "stopped"; problem: Problem };
export interface StreamHandlers {
  event(name: string, data: string): void;
  state(state: StreamState): void;
}

const kFirstWait = 1000;
const kLongestWait = 15_000;
/** The service sends statistics every second: after such a silence the connection is taken for dead. */
const kSilence = 10_000;
/** More than any event has: a stream without ends of events is none. */
const kMaxEvent = 1 << 20;

/** Splits the text of a stream into events; what is not complete waits for the next piece. */
export class EventParser {
  private rest = "";

  constructor(private readonly event: (name: string, data: string) => void) {}

  feed(piece: string): void {
    this.rest += piece;
    // A carriage return at the end may be half of a line end.
    const usable = this.rest.endsWith("\r") ? this.rest.length - 1 : this.rest.length;
    const blocks = this.rest.slice(0, usable).split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = (blocks.pop() ?? "") + this.rest.slice(usable);
    for (const block of blocks) this.read(block);
    if (this.rest.length > kMaxEvent) throw new Error("an event without an end");
  }

  private read(block: string): void {
    let name = "message";
    const data: string[] = [];
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "event") name = value;
      else if (field === "data") data.push(value);
    }
    if (data.length) this.event(name, data.join("\n"));
  }
}

export class EventStream {
  private wait = kFirstWait;
  private timer = 0;
  private silence = 0;
  private connection: AbortController | null = null;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly handlers: StreamHandlers,
  ) {
    void this.connect();
  }

  /** Ends it for good. */
  close(): void {
    this.closed = true;
    this.drop();
  }

  /** Does not wait any longer. */
  retry(): void {
    if (this.closed || this.connection) return;
    this.drop();
    void this.connect();
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.connection?.abort();
    this.connection = null;
  }

  private async connect(): Promise<void> {
    const connection = new AbortController();
    this.connection = connection;
    this.handlers.state({ kind: "connecting" });
    this.listen_for_silence(connection);
    let problem: Problem | null = null;
    try {
      const response = await send("GET", this.path, { signal: connection.signal, accept: "text/event-stream" });
      await this.read(response, connection);
    } catch (error) {
      if (error instanceof Problem) problem = error;
    }
    if (this.closed || this.connection !== connection) return;
    this.drop();
    // Asking again would change nothing.
    if (problem && [401, 403, 404].includes(problem.status)) {
      this.handlers.state({ kind: "stopped", problem });
      return;
    }
    // Not all pages at the same moment after a restart of the server.
    const wait = Math.max(this.wait * (0.75 + Math.random() / 2), (problem?.retry_after ?? 0) * 1000);
    this.wait = Math.min(this.wait * 2, kLongestWait);
    this.handlers.state({ kind: "waiting", seconds: Math.ceil(wait / 1000) });
    this.timer = setTimeout(() => void this.connect(), wait);
  }

  private async read(response: Response, connection: AbortController): Promise<void> {
    const parser = new EventParser((name, data) => {
      if (this.connection !== connection) return;
      if (this.wait !== kFirstWait) this.wait = kFirstWait;
      this.handlers.event(name, data);
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    this.handlers.state({ kind: "open" });
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.listen_for_silence(connection);
      parser.feed(value);
    }
  }

  private listen_for_silence(connection: AbortController): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => connection.abort(), kSilence);
  }
}
