import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript, messageStarts } from "@/lib/core/columns/from-transcript";
import { replay, type SimulatedCompaction } from "@/lib/core/compaction/replay";
import { resolveSettings, type Settings } from "@/lib/core/compaction/settings";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { readRecords, readTranscript } from "../testing/read";
import type { FileSource } from "./attachments";
import { compressCurrent } from "./compress-current";
import { compressDocumented } from "./compress-documented";
import { RESUME_TRAILER } from "./constants";
import { answerOf, type Content, callOf, objectOf, partsOf, responseOf, textOf } from "./content";
import { contentTokens } from "./estimates";
import { qwenCodeContentEstimator, qwenCodeMeasures } from "./estimator";
import { microcompact } from "./microcompact";
import { nativeMessage } from "./native";
import { qwenCodePolicy } from "./policy";
import { qwenCodeReader } from "./reader";
import { generatedSession } from "./testing/generated-session";

/**
 * The two layers say the same: the policy over numbers, run by the engine, and the exact functions over the recorded
 * contents, driven request by request.
 */

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const sources: readonly (readonly [name: string, bytes: () => Uint8Array])[] = [
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => [name, () => readFileSync(`${FOLDER}${name}`)] as const),
  ...Array.from({ length: 16 }, (_, seed) => [`generated ${seed}`, () => generatedSession(seed)] as const),
];

interface Loaded {
  readonly transcript: Transcript;
  readonly columns: SessionColumns;
  readonly tokens: Int32Array;
  readonly contents: readonly Content[];
}

function load(bytes: Uint8Array): Loaded {
  const transcript = readTranscript(bytes, qwenCodeReader);
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  const columns = columnsFromTranscript(transcript);
  const starts = messageStarts(transcript.messages, columns.overheadRows);
  const tokens = new Int32Array(columns.length);
  const measures: Record<string, Int32Array> = {};
  const contents = transcript.messages.map((message, index) => {
    const loaded = contentsOf(message, records);
    tokens.set(qwenCodeContentEstimator.blocks(message, loaded, "qwen-code"), starts[index]);
    for (const [name, values] of Object.entries(qwenCodeMeasures(message, loaded, "qwen-code"))) {
      measures[name] ??= new Int32Array(columns.length);
      measures[name]?.set(values, starts[index]);
    }
    return nativeMessage(message, loaded, "qwen-code").content;
  });
  return { transcript, columns: { ...columns, measures }, tokens, contents };
}

function contentsOf(message: Message, records: ReadonlyMap<number, Readonly<Record<string, unknown>>>): BlockContent[] {
  return message.blocks.map((block) => {
    const record = assertDefined(records.get(block.source.offset), "the block's record");
    return { record, text: qwenCodeReader.texts(record)[block.source.part] ?? "" };
  });
}

const SUMMARY_TOKENS = 80;
/** Every content is rounded up by itself; calls that join the acknowledgement are rounded with it. */
const ROUNDING: Tokens = 3;
const sizeOf = (contents: readonly Content[]) => contents.reduce((sum, content) => sum + contentTokens([content]), 0);

interface Step {
  readonly request: number;
  readonly outcome: string;
  /** Messages of the recording that are in the context afterwards. */
  readonly messages: readonly number[];
  readonly size: Tokens;
}

/** What happens before a request, by the exact rules: the history and what is about to be sent. */
type ExactRule = (state: {
  readonly request: number;
  readonly history: readonly Content[];
  readonly pending: readonly Content[];
  readonly lastInput: Tokens;
  readonly lastOutput: Tokens;
  readonly attempts: number;
  /** Everything that was ever in the context, but what is about to be sent. */
  readonly seen: readonly Content[];
}) => Promise<{ readonly outcome: string; readonly history: readonly Content[] } | undefined>;

async function exactSteps(loaded: Loaded, rule: ExactRule): Promise<readonly Step[]> {
  const { transcript, contents } = loaded;
  const ofMessage = new Map(contents.map((content, index) => [content, index]));
  // Calls that joined the acknowledgement are still the message's.
  const ofCall = new Map(
    contents.flatMap((content, index) => partsOf(content).map((part) => [callOf(part), index] as const)),
  );
  const callIndex = (content: Content) => {
    const call = partsOf(content)
      .map(callOf)
      .find((candidate) => candidate !== undefined);
    return call === undefined ? undefined : ofCall.get(call);
  };
  const steps: Step[] = [];
  let context: readonly Content[] = [];
  let entered = 0;
  let lastInput = 0;
  for (let request = 0; request < Math.max(1, transcript.requests.length); request++) {
    const end = transcript.requests[request]?.message ?? transcript.messages.length;
    const fresh = transcript.messages
      .slice(entered, end)
      .flatMap(({ recordedOnly }, at) =>
        recordedOnly === true ? [] : [[entered + at, contents[entered + at] ?? {}] as const],
      );
    const responses = fresh.findLastIndex(([index]) => transcript.messages[index]?.origin === "response") + 1;
    const response = fresh.slice(0, responses).map(([, content]) => content);
    const pending = fresh.slice(responses).map(([, content]) => content);
    const history = [...context, ...response];
    const seen = [...contents.slice(0, entered), ...response];
    entered = end;
    const state = { request, history, pending, seen, lastInput, lastOutput: sizeOf(response), attempts: steps.length };
    const change = await rule(state);
    context = [...(change?.history ?? history), ...pending];
    lastInput = sizeOf(context);
    if (change === undefined) continue;
    const messages = context.flatMap((content) => {
      const index = ofMessage.get(content) ?? callIndex(content);
      return index ?? [];
    });
    steps.push({ request, outcome: change.outcome, messages, size: lastInput });
  }
  return steps;
}

function columnarSteps({ columns }: Loaded, compactions: readonly SimulatedCompaction[]): readonly Step[] {
  const changed = new Set<number | undefined>();
  return compactions.map(({ request, outcome, kept, cleared, tokensAfter }) => {
    for (const [item] of cleared) changed.add(columns.message[item]);
    const messages = [...new Set(kept.flatMap((item) => columns.message[item] ?? []))];
    return { request, outcome, messages: messages.filter((message) => !changed.has(message)), size: tokensAfter };
  });
}

function settingsOf(preset: string, window: Tokens, given: Readonly<Record<string, unknown>>): Settings {
  const specs = qwenCodePolicy.settings(preset, { window, agent: "qwen-code" });
  return resolveSettings(specs, { summaryTokens: SUMMARY_TOKENS, ...given });
}

function columnar(loaded: Loaded, settings: Settings, window: Tokens): readonly Step[] {
  const run = replay(loaded.columns, loaded.tokens, qwenCodePolicy, settings, { window, counting: "estimate" });
  return columnarSteps(loaded, run.compactions);
}

/** Small enough that it compacts several times. */
const windowOf = ({ tokens }: Loaded) => Math.max(300, Math.floor(tokens.reduce((sum, size) => sum + size, 0) / 4));

describe("as-documented", () => {
  const counts = { summary: 0, failed: 0 };

  it.each(sources)("%s", async (_name, bytes) => {
    for (const given of [{}, { preserve: 0.6, usageField: "total" }, { failSummary: "2" }] as const) {
      const loaded = load(bytes());
      const window = windowOf(loaded);
      const settings = settingsOf("as-documented", window, given);
      let failedBefore = false;
      const exact = await exactSteps(loaded, async ({ history, lastInput, lastOutput, attempts }) => {
        const fails = settings.failSummary === String(attempts + 1);
        const result = await compressDocumented({
          history,
          originalTokens: lastInput + (settings.usageField === "total" ? lastOutput : 0),
          window,
          preserve: Number(settings.preserve),
          force: false,
          failedBefore,
          summarise: (contents) => ({
            text: fails ? "" : "s".repeat(SUMMARY_TOKENS * 4),
            usage: { promptTokenCount: sizeOf(contents) + 1000, candidatesTokenCount: SUMMARY_TOKENS },
          }),
        });
        if (result.status === "NOOP") return undefined;
        failedBefore = result.status !== "COMPRESSED";
        return failedBefore ? { outcome: "failed", history } : { outcome: "summary", history: result.newHistory ?? [] };
      });
      expect(columnar(loaded, settings, window)).toEqual(exact);
      for (const { outcome } of exact) counts[outcome === "failed" ? "failed" : "summary"] += 1;
    }
  });

  it("compacted and failed often enough to say something", () => {
    expect(counts.summary).toBeGreaterThan(20);
    expect(counts.failed).toBeGreaterThan(5);
  });
});

/** Files as they were shown last. */
function filesOf(history: readonly Content[]): FileSource {
  const paths = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const part of history.flatMap(partsOf)) {
    const call = callOf(part);
    const path = textOf(objectOf(call?.args).file_path);
    if (path !== "") paths.set(textOf(call?.id), path);
    if (call?.name === "write_file") texts.set(path, textOf(objectOf(call.args).content));
    const response = responseOf(part);
    const { output } = answerOf(response);
    const read = paths.get(textOf(response?.id));
    if (response?.name === "read_file" && read !== undefined && typeof output === "string") texts.set(read, output);
  }
  return {
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    insideWorkspace: () => true,
  };
}

/** Only a prompt looks at the time since the last response. */
function pauseBefore(
  { messages, requests }: Transcript,
  request: number,
  pending: readonly Content[],
  contents: readonly Content[],
): { readonly sizeOnly: boolean; readonly gapMinutes?: number } {
  const prompt = pending
    .map((content) => messages[contents.indexOf(content)])
    .find((message) => message?.origin === "typed");
  const last = requests[request - 1]?.at;
  if (prompt?.at === undefined || last === undefined) return { sizeOnly: true };
  return { sizeOnly: false, gapMinutes: (prompt.at - last) / 60_000 };
}

describe("current", () => {
  const counts = { summary: 0, clear: 0, failed: 0 };

  it.each(sources)("%s", async (_name, bytes) => {
    const variants = [
      {},
      { clearAboveChars: 1500, keepToolResults: 2, restoreFiles: 2 },
      { failSummary: "always" },
    ] as const;
    for (const given of variants) {
      const loaded = load(bytes());
      // A small share of a large window: the hard threshold, which the attempt itself does not know, is out of reach.
      const window = 1_000_000;
      const share = (windowOf(loaded) * 0.7) / window;
      const settings = settingsOf("current", window, { clearAboveChars: -1, threshold: share, ...given });
      let failures = 0;
      const exact = await exactSteps(loaded, async (state) => {
        const { history, pending, lastInput, lastOutput } = state;
        const merged: Content = { role: "user", parts: pending.flatMap(partsOf) };
        const { history: clearedHistory, meta } = microcompact({
          history,
          pending: [merged],
          settings: {
            toolResultsTotalCharsThreshold: Number(settings.clearAboveChars),
            toolResultsNumToKeep: Number(settings.keepToolResults),
          },
          ...pauseBefore(loaded.transcript, state.request, pending, loaded.contents),
        });
        const didClear = meta !== undefined && meta.toolsCleared > 0;
        const effective = lastInput > 0 ? lastInput + lastOutput + sizeOf(pending) : sizeOf([...history, ...pending]);
        const answered = partsOf(merged).some((part) => responseOf(part) !== undefined);
        const result = await compressCurrent({
          history,
          originalTokens: lastInput,
          window,
          share: Number(settings.threshold),
          effectiveTokens: effective,
          pendingUserMessage: merged,
          consecutiveFailures: failures,
          force: false,
          files: filesOf(state.seen),
          mostFiles: Number(settings.restoreFiles),
          summarise: ({ contents }) => {
            const sent = contents.length - 1 - (answered ? 1 : 0);
            const input = sizeOf(history.slice(0, sent)) + (answered ? contentTokens([merged]) : 0) + 1000;
            const text = "s".repeat(SUMMARY_TOKENS * 4 - RESUME_TRAILER.length - 2);
            const usage = { promptTokenCount: input, candidatesTokenCount: SUMMARY_TOKENS };
            return { text: settings.failSummary === "always" ? "" : text, usage };
          },
        });
        if (result.status === "COMPRESSED") {
          failures = 0;
          return { outcome: "summary", history: result.newHistory ?? [] };
        }
        if (result.status !== "NOOP") {
          failures += 1;
          return { outcome: "failed", history };
        }
        return didClear ? { outcome: "clear", history: clearedHistory } : undefined;
      });
      const numbers = columnar(loaded, settings, window);
      const shape = (steps: readonly Step[]) => steps.map(({ request, outcome }) => `${request} ${outcome}`);
      expect(shape(numbers)).toEqual(shape(exact));
      for (const [at, step] of exact.entries()) {
        const got = assertDefined(numbers[at], "a step");
        expect(got.messages, `messages at ${step.request}`).toEqual(step.messages);
        expect(Math.abs(got.size - step.size), `${step.outcome} at ${step.request}`).toBeLessThanOrEqual(ROUNDING);
      }
      for (const { outcome } of exact) counts[outcome === "clear" || outcome === "failed" ? outcome : "summary"] += 1;
    }
  });

  it("compacted, cleared and failed often enough to say something", () => {
    expect(counts.summary).toBeGreaterThan(20);
    expect(counts.clear).toBeGreaterThan(10);
    expect(counts.failed).toBeGreaterThan(5);
  });
});
