import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { tokenColumn } from "@/lib/core/columns/token-columns";
import { type Replay, replay } from "@/lib/core/compaction/replay";
import { resolveSettings } from "@/lib/core/compaction/settings";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Transcript } from "@/lib/core/transcript/model";
import { expectedRows } from "../testing/expected";
import { CONTINUE_TEXT } from "./constants";
import { opencodeEstimator, opencodeMeasures } from "./estimator";
import { nativeMessage } from "./native";
import { usable } from "./overflow";
import { OPENCODE_MEASURES, opencodePolicy } from "./policy";
import { type PrunablePart, prunedParts } from "./prune";
import { opencodeReader } from "./reader";
import { tailBudget, tailStart } from "./select-tail";
import { readFile } from "./testing";
import { tokensOfChars } from "./tokens";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact rules over the messages as they are
 * sent, at the same requests: the same tail, the same cleared outputs.
 */

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => !name.endsWith(".golden.txt"));
const recordings = expectedRows("opencode");

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  /** What is sent for every message. */
  readonly native: readonly unknown[];
}

function load(bytes: Uint8Array): Loaded {
  const { transcript, records } = readFile(bytes);
  const byOffset = new Map(records.map((record) => [record.offset, record.value]));
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const measures = Object.fromEntries(OPENCODE_MEASURES.map((name) => [name, new Int32Array(columns.length)]));
  const native = transcript.messages.map((message, index) => {
    const contents: BlockContent[] = message.blocks.map(({ source }) => {
      const record = assertDefined(byOffset.get(source.offset), "the block's record");
      return { record, text: opencodeReader.texts(record)[source.part] ?? "" };
    });
    const numbers = opencodeMeasures(message, contents, "opencode");
    tokens.set(opencodeEstimator.blocks(message, contents, "opencode"), starts[index] ?? 0);
    for (const name of OPENCODE_MEASURES) measures[name]?.set(numbers[name], starts[index] ?? 0);
    return nativeMessage(message, contents, "opencode");
  });
  return { transcript, columns: { ...columns, measures }, tokens: tokenColumn(columns, tokens), native };
}

/** A message of the session: a response with its results, or a user message. The indices are those of our messages. */
interface Held {
  readonly messages: readonly number[];
  readonly sent: readonly unknown[];
  readonly user: boolean;
}

const CONTINUED: Held = {
  messages: [],
  sent: [{ role: "user", content: [{ type: "text", text: CONTINUE_TEXT }] }],
  user: true,
};

function run(loaded: Loaded, window: number, given: Readonly<Record<string, unknown>>): Replay {
  const specs = opencodePolicy.settings("current", { window, agent: "opencode" });
  const settings = resolveSettings(specs, given);
  const result = replay(loaded.columns, loaded.tokens, opencodePolicy, settings, { window, counting: "estimate" });
  const limit = { context: window, output: 0 };
  const config = { maxOutput: Number(settings.maxOutputTokens) };
  const tail = { turns: Number(settings.tailTurns), tokens: Number(settings.preserveRecentTokens ?? Number.NaN) };
  const budget = tailBudget(usable(limit, config), {
    turns: tail.turns,
    ...(tail.tokens >= 0 ? tail : { tokens: undefined }),
  });
  let history: readonly Held[] = [];
  let entered = 0;
  for (const compaction of result.compactions) {
    const end = loaded.transcript.requests[compaction.request]?.message ?? loaded.transcript.messages.length;
    history = joined(history, loaded, entered, end);
    entered = end;
    const where = `request ${compaction.request}, ${compaction.outcome}`;
    if (compaction.outcome === "clear") {
      checkCleared(loaded, history, compaction.cleared, settings, where);
      continue;
    }
    const size = (from: number, to: number) =>
      tokensOfChars(JSON.stringify(history.slice(from, to).flatMap((held) => held.sent)).length);
    const start = tailStart(
      history.map((held) => held.user),
      size,
      budget,
      { turns: tail.turns },
    );
    history = start === undefined ? [] : history.slice(start);
    const kept = new Set(compaction.kept.map((item) => loaded.columns.message[item] ?? -1));
    expect(
      [...kept].filter((message) => message >= 0),
      where,
    ).toEqual(history.flatMap((held) => held.messages));
    history = [...history, CONTINUED];
  }
  return result;
}

/** The history with the messages from an index to another: results belong to the response before them. */
function joined(history: readonly Held[], loaded: Loaded, from: number, to: number): readonly Held[] {
  const held = [...history];
  for (let index = from; index < to; index++) {
    const message = loaded.transcript.messages[index];
    if (message === undefined || message.recordedOnly === true) continue;
    const last = held.at(-1);
    if (message.origin === "tool" && last !== undefined) {
      const sent = [...last.sent, loaded.native[index]];
      held[held.length - 1] = { ...last, messages: [...last.messages, index], sent };
    } else held.push({ messages: [index], sent: [loaded.native[index]], user: message.role === "user" });
  }
  return held;
}

/** Only where nothing was cleared or compacted before: then the exact rule needs no memory of its own. */
function checkCleared(
  loaded: Loaded,
  history: readonly Held[],
  cleared: readonly (readonly [number, number])[],
  settings: Readonly<Record<string, unknown>>,
  where: string,
): void {
  const answered = history.findLastIndex((held) => !held.user);
  const messages = history.slice(0, answered + 1).map((held) => ({
    role: held.user ? "user" : "assistant",
    summary: false,
    parts: held.messages.flatMap((index) => partsOf(loaded, index)),
  }));
  const pruned = prunedParts(messages, Number(settings.pruneProtect), Number(settings.pruneMinimum));
  expect(pruned.applied, where).toBe(true);
  const results = cleared.map(([item]) => item).filter((item) => loaded.columns.kind[item] === RESULT);
  expect(results, where).toEqual(pruned.parts.map((part) => part.item));
}

const RESULT = 4;

function partsOf(loaded: Loaded, index: number): readonly (PrunablePart & { readonly item: number })[] {
  const start = loaded.columns.message.indexOf(index);
  const blocks = loaded.transcript.messages[index]?.blocks ?? [];
  return blocks.flatMap((block, part) =>
    block.kind === "tool_result"
      ? [
          {
            item: start + part,
            tool: block.tool ?? "",
            completed: block.isError !== true,
            cleared: false,
            tokens: tokensOfChars(block.text.chars),
          },
        ]
      : [],
  );
}

/** A session of many turns, calls and outputs, drawn from a seed. */
function drawnSession(seed: number): Uint8Array {
  let state = seed;
  const draw = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = (chars: number) => 'word "词语"\n'.repeat(Math.ceil(chars / 10)).slice(0, chars);
  const messages: unknown[] = [];
  const info = (role: string) => {
    const at = messages.length + 1;
    return { role, id: `msg_${String(at).padStart(4, "0")}`, sessionID: "ses_1", time: { created: at * 1000 } };
  };
  for (let turn = 0; turn < 30; turn++) {
    messages.push({ info: info("user"), parts: [{ type: "text", text: text(10 + draw(2500)) }] });
    for (let step = draw(4); step >= 0; step--) {
      const calls = step === 0 ? 0 : draw(4);
      const parts = Array.from({ length: calls }, (_, index) => {
        const failed = draw(5) === 0;
        const output = text(draw(6) === 0 ? draw(60_000) : draw(3000));
        const result = failed ? { status: "error", error: output } : { status: "completed", output };
        const tool = ["read", "bash", "skill"][draw(3)];
        return {
          type: "tool",
          callID: `c${messages.length}-${index}`,
          tool,
          state: { ...result, input: { path: "a" } },
        };
      });
      messages.push({ info: info("assistant"), parts: [{ type: "text", text: text(draw(800)) }, ...parts] });
    }
  }
  return Buffer.from(JSON.stringify({ info: { id: "ses_1" }, messages }));
}

describe("fixtures", () => {
  it.each(fixtures.filter((name) => name !== "reverted.json"))("%s", (name) => {
    run(load(readFileSync(`${FOLDER}${name}`)), 32_100, { preserveRecentTokens: 100 });
    run(load(readFileSync(`${FOLDER}${name}`)), 32_100, { tailTurns: 1 });
  });
});

describe("drawn sessions", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("seed %i", (seed) => {
    const loaded = load(drawnSession(seed));
    const compactions = [
      ...run(loaded, 45_000, {}).compactions,
      ...run(loaded, 60_000, { tailTurns: 5, preserveRecentTokens: 12_000 }).compactions,
      ...run(loaded, 50_000, { tailTurns: 0 }).compactions,
      ...run(loaded, 40_000, { tailTurns: 1, maxOutputTokens: 20_000 }).compactions,
    ];
    expect(new Set(compactions.map(({ outcome }) => outcome))).toEqual(new Set(["summary"]));
    expect(compactions.some(({ kept }) => kept.length > 0)).toBe(true);
  });

  it.each([1, 2, 3, 4])("seed %i, cleared after turns", (seed) => {
    const loaded = load(drawnSession(seed));
    const once = { prune: true, pruneProtect: 5000 };
    const first = replay(
      loaded.columns,
      loaded.tokens,
      opencodePolicy,
      resolveSettings(opencodePolicy.settings("current", { window: 10_000_000, agent: "opencode" }), once),
      { window: 10_000_000, counting: "estimate" },
    ).compactions;
    expect(first.length).toBeGreaterThan(0);
    expect(first.every(({ outcome, shrunk }) => outcome === "clear" && shrunk)).toBe(true);
    const sizes = first.flatMap(({ cleared }) => cleared.map(([item]) => item));
    expect(new Set(sizes).size, "nothing is cleared twice").toBe(sizes.length);
    run(loaded, 10_000_000, { ...once, pruneMinimum: sizes.length > 0 ? 20_000 : 0, pruneProtect: 60_000 });
  });

  it("leaves the history where the summary call fails, and asks again", () => {
    const loaded = load(drawnSession(9));
    const specs = opencodePolicy.settings("current", { window: 45_000, agent: "opencode" });
    const settings = resolveSettings(specs, { failSummary: 1 });
    const { compactions } = replay(loaded.columns, loaded.tokens, opencodePolicy, settings, {
      window: 45_000,
      counting: "estimate",
    });
    expect(compactions.slice(0, 2).map(({ outcome }) => outcome)).toEqual(["failed", "summary"]);
  });
});

describe("recordings", () => {
  if (recordings.length === 0) it.skip("skipped: no recordings beside the project (../shared/transcripts)");
  it.each(recordings)("$file", ({ path }) => {
    const loaded = load(readFileSync(path));
    expect(run(loaded, 100_000, {}).compactions.length).toBeGreaterThan(0);
    expect(run(loaded, 60_000, { tailTurns: 1 }).compactions.length).toBeGreaterThan(0);
  });
});
