import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay, type SimulatedCompaction } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import { bpeOf } from "@/lib/server/tokens/tables";
import { claudeCodeReader } from "../claude-code/reader";
import { expectedRows, WITHOUT_RECORDINGS } from "../testing/expected";
import { MAX_MESSAGES } from "./constants";
import { createClawdcodeEstimator } from "./estimator";
import type { ClawdMessage } from "./message";
import { clawdcodePolicy } from "./policy";
import { clawdcodeReader } from "./reader";
import { retained, withinMemory, withoutOrphans } from "./retain";
import { automaticSummary, failureText, summaryMessage } from "./summary";
import { type Loaded, load, sum } from "./testing/simulation";
import { countTokens } from "./token-counter";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact rules over ClawdCode's own messages,
 * at the same requests. The count is additive, so they agree to the token.
 */
const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
const recordings = expectedRows("claude-code").slice(0, 3);

const count = bpeOf("cl100k").count;
const estimator = createClawdcodeEstimator(() => count);
const SUMMARY = summaryMessage("What was done, and what is left.");

interface Held extends ClawdMessage {
  readonly rows: readonly number[];
}

interface Run {
  readonly preset: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** What a compaction puts in front; none where only memory was full. */
  readonly front: ClawdMessage | undefined;
  readonly retain: number;
  readonly maxMessages: number;
}

/** The exact layer at the engine's compactions: sizes before and after, and the rows that stay. */
function exactly(loaded: Loaded, compactions: readonly SimulatedCompaction[], run: Run) {
  let history: readonly Held[] = [];
  let entered = 0;
  return compactions.map((compaction) => {
    const end = loaded.transcript.requests[compaction.request]?.message ?? loaded.transcript.messages.length;
    for (; entered < end; entered++) {
      if (loaded.transcript.messages[entered]?.recordedOnly === true) continue;
      for (const { message, rows } of loaded.natives[entered] ?? []) history = [...history, { ...message, rows }];
    }
    const before = countTokens(history, count);
    let memory: readonly Held[] = [];
    for (const message of history) memory = withinMemory([...memory, message], run.maxMessages);
    const kept = (
      compaction.outcome === "trim" ? withoutOrphans(memory) : retained(memory, run.retain)
    ) as readonly Held[];
    const front = compaction.outcome === "trim" || run.front === undefined ? [] : [{ ...run.front, rows: [-1] }];
    history = [...front, ...kept];
    const rows = kept.flatMap((message) => message.rows).filter((row) => row >= 0);
    return { before, after: countTokens(history, count), rows };
  });
}

function check(loaded: Loaded, run: Run): number {
  const window = Math.max(60, Math.ceil(sum(loaded.tokens) / 3));
  const specs = clawdcodePolicy.settings(run.preset, { window, agent: "clawdcode" });
  const given = { maxMessages: run.maxMessages, ...run.settings };
  const { compactions } = replay(loaded.columns, loaded.tokens, clawdcodePolicy, resolveSettings(specs, given), {
    window,
    counting: "estimate",
  });
  const exact = exactly(loaded, compactions, run);
  const got = compactions.map(({ tokensBefore, tokensAfter, kept }) => ({
    before: tokensBefore,
    after: tokensAfter,
    rows: kept.filter((item) => item < loaded.columns.length),
  }));
  expect(got).toEqual(exact);
  return compactions.length;
}

const summarised = (rule: "context" | "session", maxMessages: number = MAX_MESSAGES): Run => ({
  preset: "as-documented",
  settings: { rule, compressionThreshold: 50, summaryTokens: countTokens([SUMMARY], count) },
  front: SUMMARY,
  retain: 0.2,
  maxMessages,
});

const onlyMemory = (maxMessages: number): Run => ({
  ...summarised("session", maxMessages),
  settings: { rule: "session", compressionThreshold: 2_000_000 },
  front: undefined,
});

describe("fixtures", () => {
  let compactions = 0;
  it.each(fixtures)("%s", (name) => {
    const loaded = load(readFileSync(`${FOLDER}${name}`), clawdcodeReader, estimator);
    for (const run of [summarised("context"), summarised("session"), summarised("context", 4), onlyMemory(5)]) {
      compactions += check(loaded, run);
    }
  });

  it("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(fixtures.length);
  });
});

describe("another agent's recordings, as ClawdCode would hold them", () => {
  if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
  let compactions = 0;
  it.for(recordings)("$file", ({ path }) => {
    const loaded = load(readFileSync(path), claudeCodeReader, estimator);
    compactions += check(loaded, summarised("context")) + check(loaded, onlyMemory(40));
  });
  it.runIf(recordings.length > 0)("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(recordings.length);
  });
});

describe("sessions at random", () => {
  const text = fc.string({ maxLength: 40 });
  // Of a result, which of the calls before it is meant: the newest, or one that was never made, or none at all.
  const step = fc.record({
    type: fc.constantFrom("user", "assistant", "tool_use", "tool_result"),
    text,
    back: fc.nat(4),
  });

  it("both layers agree", () => {
    let compactions = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 60, size: "max" }),
        fc.integer({ min: 2, max: 20 }),
        (steps, most) => {
          const loaded = load(Buffer.from(rows(steps).join("\n")), clawdcodeReader, estimator);
          for (const run of [summarised("context", most), summarised("session", most), onlyMemory(most)]) {
            compactions += check(loaded, run);
          }
        },
      ),
      { numRuns: 150, seed: 7 },
    );
    expect(compactions).toBeGreaterThan(150);
  });
});

function rows(steps: readonly { type: string; text: string; back: number }[]): readonly string[] {
  const calls: string[] = [];
  return steps.map(({ type, text, back }, index) => {
    if (type === "tool_use") calls.push(`c${index}`);
    const id = type === "tool_use" ? `c${index}` : back === 0 ? "" : (calls.at(-back) ?? "unknown");
    const content = type === "user" || type === "assistant" ? { message: { role: type, content: text } } : {};
    const call = type === "tool_use" ? { tool: { id, name: "Read", input: { path: text } } } : {};
    const result = type === "tool_result" ? { toolResult: { id, output: text } } : {};
    return JSON.stringify({
      uuid: `u${index}`,
      parentUuid: null,
      sessionId: "s",
      type,
      ...content,
      ...call,
      ...result,
    });
  });
}

describe("what takes a summary's place", () => {
  const loaded = load(readFileSync(`${FOLDER}compactions.jsonl`), clawdcodeReader, estimator);
  const run = (preset: string, settings: Readonly<Record<string, unknown>>) =>
    replay(
      loaded.columns,
      loaded.tokens,
      clawdcodePolicy,
      resolveSettings(clawdcodePolicy.settings(preset, { window: 300, agent: null }), settings),
      { window: 300, counting: "estimate" },
    ).compactions;

  it("a failed summary call keeps three tenths and a note where the document says so", () => {
    const [first] = run("as-documented", { failSummary: "always" });
    const note = countTokens([summaryMessage(failureText(4, "LLM unavailable", "as-documented"))], count);
    expect(first).toMatchObject({ outcome: "fallback", summaryTokens: 0 });
    expect(Math.abs((first?.added[0]?.tokens ?? 0) - note)).toBeLessThanOrEqual(1);
    const messages = first?.kept.length ?? 0;
    expect(messages).toBeGreaterThan(run("as-documented", {})[0]?.kept.length ?? 0);
  });

  it("the program has a summary of its own ready, near the size that it would have", () => {
    const [first] = run("current", { rule: "session", compressionThreshold: 10 });
    const end = loaded.transcript.requests[first?.request ?? 0]?.message ?? 0;
    const history = loaded.natives.slice(0, end).flatMap((natives) => natives.map(({ message }) => message));
    const exact = countTokens([summaryMessage(automaticSummary(history))], count);
    expect(first).toMatchObject({ outcome: "summary", summaryCallTokens: 0 });
    expect(Math.abs((first?.summaryTokens ?? 0) - exact)).toBeLessThan(exact * 0.15);
    expect(first?.added[0]?.label).toBe("automatic summary");
  });
});
