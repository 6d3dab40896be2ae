import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { replay } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { claudeCodeReader } from "../claude-code/reader";
import { expectedRows, WITHOUT_RECORDINGS } from "../testing/expected";
import { readRecords, readTranscript } from "../testing/read";
import { turnPromptTokens } from "./compression";
import { miniClaudeCodeEstimator } from "./estimator";
import { type CoreMessage, estimateMessagesTokens, estimateTokens } from "./message";
import { nativeMessages } from "./native";
import { miniClaudeCodePolicy } from "./policy";
import type { MiniPreset } from "./presets";
import { miniClaudeCodeReader } from "./reader";
import { truncateOutput } from "./tool-output";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the program's loop over its own messages,
 * written out step by step as the document and the source have it. The estimate is made of whole messages, so they agree
 * to the token.
 */
const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
const recordings = expectedRows("claude-code").slice(0, 3);
const SUMMARY_TOKENS = 40;

interface Held {
  readonly messages: readonly CoreMessage[];
  readonly rows: readonly ItemIndex[];
  readonly origin: string;
}

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  readonly held: readonly Held[];
  readonly overhead: Tokens;
}

function load(bytes: Uint8Array, reader: Reader): Loaded {
  const transcript = readTranscript(bytes, reader);
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  transcript.overhead.forEach(({ text }, row) => {
    tokens[row] = estimateTokens(text.value ?? "");
  });
  const held = transcript.messages.map((message, index) => {
    const contents = message.blocks.map((block) => {
      const record = assertDefined(records.get(block.source.offset), "the block's record");
      return { record, text: reader.texts(record)[block.source.part] ?? "" };
    });
    const start = starts[index] ?? 0;
    tokens.set(miniClaudeCodeEstimator.blocks(message, contents, reader.format), start);
    const messages = nativeMessages(message, contents, reader.format).map((native) => native.message);
    return { messages, rows: message.blocks.map((_, part) => start + part), origin: message.origin };
  });
  const overhead = sum(tokens.slice(0, columns.overheadRows));
  return { transcript, columns, tokens, held, overhead };
}

interface Compaction {
  readonly request: number;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  readonly rows: readonly ItemIndex[];
}

/** The program's loop: requests in order, each with what was added since the one before. */
class Loop {
  readonly compactions: Compaction[] = [];
  #history: Held[] = [];
  #hint: Tokens = 0;
  /** Prompt tokens of the steps of the turn under way. */
  #steps: Tokens[] = [];

  constructor(
    readonly preset: MiniPreset,
    readonly overhead: Tokens,
    readonly limit: Tokens,
  ) {}

  request(request: number, added: readonly Held[]): void {
    const lastOfStep = added.findLastIndex(({ origin }) => origin === "response" || origin === "tool") + 1;
    const newTurn = added.some(({ origin }) => origin === "typed");
    const step = newTurn ? added.slice(0, lastOfStep) : added;
    const rest = added.slice(step.length);
    this.#history.push(...step);
    if (request > 0 && this.#exceeds(newTurn)) this.#compress(request, rest);
    if (newTurn) this.#steps = [];
    this.#history.push(...rest);
    this.#steps.push(this.#total());
  }

  #exceeds(newTurn: boolean): boolean {
    if (this.preset === "as-documented") return this.#total() > this.limit;
    return newTurn && turnPromptTokens(this.#steps) > this.limit;
  }

  #compress(request: number, rest: readonly Held[]): void {
    const tokensBefore = this.#total() + tokensOf(rest);
    const question = this.#history.findLast(({ origin }) => origin === "typed");
    this.#history = this.preset === "current" || question === undefined ? [] : [question];
    this.#hint = SUMMARY_TOKENS;
    const rows = [...this.#history, ...rest].flatMap((held) => held.rows);
    this.compactions.push({ request, tokensBefore, tokensAfter: this.#total() + tokensOf(rest), rows });
  }

  #total(): Tokens {
    return this.overhead + this.#hint + tokensOf(this.#history);
  }
}

function tokensOf(held: readonly Held[]): Tokens {
  return estimateMessagesTokens(held.flatMap(({ messages }) => messages));
}

function exactly(loaded: Loaded, preset: MiniPreset, limit: Tokens): readonly Compaction[] {
  const loop = new Loop(preset, loaded.overhead, limit);
  let entered = 0;
  const points =
    loaded.transcript.requests.length === 0
      ? [loaded.held.length]
      : loaded.transcript.requests.map((point) => point.message);
  points.forEach((end, request) => {
    const added = loaded.held.slice(entered, end);
    loop.request(
      request,
      added.filter((_, index) => loaded.transcript.messages[entered + index]?.recordedOnly !== true),
    );
    entered = end;
  });
  return loop.compactions;
}

function check(loaded: Loaded, share: number): number {
  const window = Math.max(20, Math.ceil(sum(loaded.tokens) * share));
  let compactions = 0;
  for (const preset of ["as-documented", "current"] as const) {
    const specs = miniClaudeCodePolicy.settings(preset, { window, agent: null });
    const settings = resolveSettings(specs, { summaryTokens: SUMMARY_TOKENS, entryTruncation: false });
    const run = replay(loaded.columns, loaded.tokens, miniClaudeCodePolicy, settings, { window, counting: "estimate" });
    const got = run.compactions.map(({ request, tokensBefore, tokensAfter, kept }) => ({
      request,
      tokensBefore,
      tokensAfter,
      rows: kept,
    }));
    expect(got).toEqual(exactly(loaded, preset, window * 0.8));
    compactions += got.length;
  }
  return compactions;
}

describe("fixtures", () => {
  let compactions = 0;
  it.each(fixtures)("%s", (name) => {
    const loaded = load(readFileSync(`${FOLDER}${name}`), miniClaudeCodeReader);
    compactions += check(loaded, 0.4) + check(loaded, 0.9);
  });
  it("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(fixtures.length);
  });
});

describe("another agent's recordings, as mini-claude-code would hold them", () => {
  if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
  let compactions = 0;
  it.for(recordings)("$file", ({ path }) => {
    compactions += check(load(readFileSync(path), claudeCodeReader), 0.3);
  });
  it.runIf(recordings.length > 0)("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(recordings.length);
  });
});

it("sessions at random", () => {
  const step = fc.record({
    role: fc.constantFrom("user", "assistant", "tool", "call"),
    text: fc.string({ maxLength: 60 }),
  });
  let compactions = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 4, maxLength: 60, size: "max" }),
      fc.constantFrom(0.2, 0.5, 0.9),
      (steps, share) => {
        compactions += check(load(Buffer.from(lines(steps)), miniClaudeCodeReader), share);
      },
    ),
    { numRuns: 150, seed: 5 },
  );
  expect(compactions).toBeGreaterThan(150);
});

/** Calls are answered by the next `tool` step, if any. */
function lines(steps: readonly { role: string; text: string }[]): string {
  let open: string | undefined;
  const records = steps.map(({ role, text }, index) => {
    if (role === "call") {
      open = `c${index}`;
      return {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: open, toolName: "bash", args: { text } }],
      };
    }
    if (role !== "tool") return { role, content: text };
    const toolCallId = open ?? "unknown";
    open = undefined;
    return { role, content: [{ type: "tool-result", toolCallId, toolName: "bash", result: text }] };
  });
  return records.map((record) => JSON.stringify(record)).join("\n");
}

it("an output is cut as it enters, near the size that the program would give it", () => {
  const text = "a line of some output, as it is read from a file\n".repeat(900);
  const message = (result: string) => [
    { role: "user", content: "q" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "read_file", args: {} }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "read_file", result }] },
    { role: "assistant", content: "done" },
  ];
  const bytes = Buffer.from(
    message(text)
      .map((record) => JSON.stringify(record))
      .join("\n"),
  );
  const { columns, tokens } = load(bytes, miniClaudeCodeReader);
  for (const preset of ["as-documented", "current"] as const) {
    const settings = resolveSettings(miniClaudeCodePolicy.settings(preset, { window: 128_000, agent: null }), {});
    const options = { window: 128_000, counting: "estimate" } as const;
    const { context } = replay(columns, tokens, miniClaudeCodePolicy, settings, options);
    const exact = estimateMessagesTokens(message(truncateOutput("read_file", text, preset)).slice(0, 3));
    expect(Math.abs((context[1] ?? 0) - exact)).toBeLessThan(exact * 0.01);
  }
});

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const value of numbers) total += value;
  return total;
}
