import type { SessionColumns } from "../columns/columns";
import { columnsFromTranscript } from "../columns/from-transcript";
import { TranscriptBuilder } from "../transcript/builder";
import type {
  Block,
  BlockKind,
  Boundary,
  CompactionTrigger,
  Message,
  Origin,
  Role,
  Transcript,
  Usage,
} from "../transcript/model";

/**
 * Sessions written in a test notation that a reviewer can read. Elements are separated by spaces, the number is
 * the tokens under `bytes-4`:
 *
 *     u10   a typed message (`u10+5` of two blocks)  a20   text of a response      t5   thinking of a response
 *     c5    a tool call                r900  the oldest open call's result
 *     x30   context added by the agent (`X30` initial context)
 *     B     a recorded boundary (`B900` with a recorded size of the context before it), `M` a manual one
 *     s40   a recorded summary         |     the next a, c or t starts a new response
 *     <3    a rollback removes the last 3 messages
 *     -2    the next 2 results, oldest first, are cleared by the recording
 *     @1500 recorded context of the latest response (`@600+900` with 900 read from a cache)
 *
 * Neighbouring a, c and t are one response.
 */
export function drawTranscript(text: string): Transcript {
  const drawing = new Drawing();
  for (const element of text.split(/\s+/).filter((part) => part !== "")) drawing.element(element);
  return drawing.finish();
}

/** The columns of a session in test notation, without token columns. */
export function drawColumns(text: string): SessionColumns {
  return columnsFromTranscript(drawTranscript(text));
}

/** The same with the times of the requests, in minutes. */
export function drawTimed(text: string, minutes: readonly number[]): SessionColumns {
  const columns = drawColumns(text);
  for (const [request, at] of minutes.entries()) {
    columns.requests.at[request] = at * 60_000;
    columns.requests.billedAt[request] = at * 60_000;
  }
  return columns;
}

const OTHER: Record<string, { role: Role; origin: Origin; kind: BlockKind; extra?: Partial<Message> }> = {
  u: { role: "user", origin: "typed", kind: "text" },
  r: { role: "user", origin: "tool", kind: "tool_result" },
  x: { role: "user", origin: "context", kind: "text" },
  X: { role: "user", origin: "context", kind: "text", extra: { initialContext: true } },
  s: { role: "user", origin: "summary", kind: "text", extra: { recordedOnly: true } },
};
const RESPONSE: Record<string, BlockKind> = { a: "text", t: "thinking", c: "tool_call" };

/** @param sizes uncached tokens, then those read from a cache, if any */
function usageOf([input = 0, cacheRead]: readonly number[]): Usage {
  return { input, output: 1, ...(cacheRead === undefined ? {} : { cacheRead }) };
}

class Drawing {
  readonly #builder = new TranscriptBuilder({ keepChars: 100, byteLength: (text) => text.length });
  #response: Block[] = [];
  #responseUsage: Usage | undefined;
  #line = 0;
  #calls = 0;
  readonly #open: string[] = [];
  /** Calls whose results have not been cleared, oldest first. */
  readonly #answered: string[] = [];

  element(element: string): void {
    const sizes = element.slice(1).split("+").map(Number);
    const [kind = "", size = 0] = [element[0], sizes[0]];
    const responseKind = RESPONSE[kind];
    if (responseKind !== undefined) this.#response.push(this.#block(responseKind, size));
    else if (kind === "@") this.#responseUsage = usageOf(sizes);
    else {
      this.#flush();
      if (kind === "B" || kind === "M") this.#compaction(kind === "M" ? "manual" : "auto", size);
      else if (kind === "<") this.#rollback(this.#builder.messageCount - size);
      else if (kind === "-") this.#boundary("clearing", "auto", 0, { clearedCalls: this.#answered.splice(0, size) });
      else if (kind !== "|") this.#other(kind, sizes);
    }
  }

  finish(): Transcript {
    this.#flush();
    return this.#builder.finish("drawn", null);
  }

  #flush(): void {
    if (this.#response.length === 0) return;
    const usage = this.#responseUsage === undefined ? {} : { usage: this.#responseUsage };
    this.#builder.request({ message: this.#builder.messageCount, line: this.#line, ...usage });
    this.#builder.message({ role: "assistant", origin: "response", line: this.#line, blocks: this.#response });
    this.#response = [];
    this.#responseUsage = undefined;
  }

  /** @param before the recorded context before it; 0 for none */
  #compaction(trigger: CompactionTrigger, before: number): void {
    this.#boundary("compaction", trigger, 0, before === 0 ? {} : { tokensBefore: before });
  }

  #rollback(kept: number): void {
    this.#boundary("rollback", "manual", kept);
  }

  /** @param kept number of first messages that stay */
  #boundary(kind: Boundary["kind"], trigger: CompactionTrigger, kept: number, metrics: Partial<Boundary> = {}): void {
    this.#builder.boundary({
      kind,
      line: this.#line,
      trigger,
      message: this.#builder.messageCount,
      kept: Array.from({ length: kept }, (_, message) => message),
      clearedCalls: [],
      ...metrics,
    });
  }

  /** @param sizes of its blocks */
  #other(kind: string, sizes: readonly number[]): void {
    const shape = OTHER[kind];
    if (shape === undefined) throw new Error(`no element ${kind}`);
    this.#builder.message({
      role: shape.role,
      origin: shape.origin,
      line: this.#line,
      blocks: sizes.map((size) => this.#block(shape.kind, size)),
      ...shape.extra,
    });
  }

  #block(kind: BlockKind, tokens: number): Block {
    this.#line += 1;
    const callId = this.#callId(kind);
    return {
      kind,
      text: { chars: tokens * 4, bytes: tokens * 4 },
      source: { line: this.#line, offset: 0, length: 0, part: 0 },
      ...(callId === undefined ? {} : { callId }),
      ...(kind === "tool_call" ? { tool: "Read", file: `file-${this.#calls}.ts` } : {}),
    };
  }

  #callId(kind: BlockKind): string | undefined {
    if (kind === "tool_result") {
      const call = this.#open.shift();
      if (call !== undefined) this.#answered.push(call);
      return call;
    }
    if (kind !== "tool_call") return undefined;
    this.#calls += 1;
    this.#open.push(`call-${this.#calls}`);
    return `call-${this.#calls}`;
  }
}
