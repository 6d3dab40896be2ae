import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { LineSplitter } from "@/lib/core/records/jsonl";

type Json = Readonly<Record<string, unknown>>;

/** Keys that hold an id in Claude Code's or Codex's records. `sessionId` is not among them: it stays one session. */
const ID_KEYS = new Set([
  "uuid",
  "parentUuid",
  "logicalParentUuid",
  "leafUuid",
  "messageId",
  "requestId",
  "agentId",
  "toolUseID",
  "parentToolUseID",
  "tool_use_id",
  "sourceToolAssistantUUID",
  "headUuid",
  "anchorUuid",
  "tailUuid",
  "call_id",
  "turn_id",
]);
/** An `id` belongs to the format only if it looks like one, because a tool's own output may have such a field too. */
const ID_VALUE = /^(msg|toolu|call|fc|ctc|rs|ws)_/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** The time between two repetitions. */
const PAUSE_MS = 60_000;
/** The longest line that is repeated. */
const MAX_LINE = 64 * 1024 * 1024;

/** State passed from one repetition to the next. */
interface Passed {
  readonly first: number;
  readonly last: number;
  /** Codex's running sums at the end. */
  readonly totals: Json;
}

/**
 * Writes a file of at least that many bytes: the recording again and again, each time with new ids and later times, so that a reader takes
 * none of it for a duplicate. Holds one line at a time.
 * @param laterMs is added to all times: files with different values share no request
 */
export async function makeLarge(
  source: string,
  target: string,
  bytes: number,
  laterMs = 0,
): Promise<{ bytes: number; copies: number }> {
  const out = createWriteStream(target);
  let written = 0;
  let copies = 0;
  let passed: Passed | undefined;
  while (written < bytes) {
    const copy = new Copy(copies, passed, laterMs);
    for await (const line of lines(source)) {
      const text = copy.line(line);
      if (text === undefined) continue;
      written += Buffer.byteLength(text) + 1;
      if (!out.write(`${text}\n`)) await once(out, "drain");
    }
    if (written === 0) throw new Error(`${source} has no lines`);
    passed = copy.passed();
    copies += 1;
  }
  out.end();
  await finished(out);
  return { bytes: written, copies };
}

async function* lines(path: string): AsyncGenerator<string> {
  const ready: string[] = [];
  const splitter = new LineSplitter({
    decode: (line) => Buffer.from(line).toString("utf8"),
    maxLineBytes: MAX_LINE,
    onLine: ({ text }) => ready.push(text),
    onTooLong: ({ line }) => {
      throw new Error(`line ${line} of ${path} is longer than ${MAX_LINE} bytes`);
    },
  });
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    splitter.push(chunk);
    yield* ready.splice(0);
  }
  splitter.end();
  yield* ready.splice(0);
}

class Copy {
  readonly #number: number;
  readonly #shift: number;
  readonly #totals: Json;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #endTotals: Json = {};

  constructor(number: number, passed: Passed | undefined, laterMs: number) {
    this.#number = number;
    this.#shift = laterMs + (passed === undefined ? 0 : (passed.last - passed.first + PAUSE_MS) * number);
    this.#totals = passed?.totals ?? {};
  }

  /** The line as this repetition writes it; `undefined` for a line that a file holds only once. */
  line(text: string): string | undefined {
    const record = parsed(text);
    if (record === undefined) return text;
    if (this.#number > 0 && record.type === "session_meta") return undefined;
    return JSON.stringify(this.#value("", record));
  }

  passed(): Passed {
    return { first: this.#first, last: this.#last, totals: this.#endTotals };
  }

  #value(key: string, value: unknown): unknown {
    if (typeof value === "string") return this.#text(key, value);
    if (Array.isArray(value)) return value.map((item) => this.#value(key, item));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, item]) => [name, this.#value(name, item)] as const);
    return key === "total_token_usage" ? this.#running(entries) : Object.fromEntries(entries);
  }

  #text(key: string, value: string): string {
    if (key === "timestamp" && TIME.test(value)) return this.#time(value);
    const id = ID_KEYS.has(key) || (key === "id" && ID_VALUE.test(value));
    return id && this.#number > 0 ? `${value}.${this.#number}` : value;
  }

  #time(value: string): string {
    const at = Date.parse(value);
    if (Number.isNaN(at)) return value;
    this.#first = Math.min(this.#first, at);
    this.#last = Math.max(this.#last, at);
    return new Date(at + this.#shift).toISOString();
  }

  #running(entries: readonly (readonly [string, unknown])[]): Json {
    const sums = entries.map(([name, value]) => [name, Number(value) + Number(this.#totals[name] ?? 0)] as const);
    this.#endTotals = Object.fromEntries(sums);
    return this.#endTotals;
  }
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // A record is an object, and this code relies on no more than that.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined; // A damaged line is repeated unchanged.
  }
}
