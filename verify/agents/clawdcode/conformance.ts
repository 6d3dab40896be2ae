import { MAX_OUTPUT_TOKENS, retainCount } from "@/lib/agents/clawdcode/base/constants";
import { clawdcodePreset } from "@/lib/agents/clawdcode/base/presets";
import { afterCompaction, projectFolder, sessionEntries } from "@/lib/agents/clawdcode/index";
import { DEFAULT_MODEL, encodingOf, knownEncoding, normalizedModel } from "@/lib/agents/clawdcode/messages/encodings";
import type { ClawdMessage } from "@/lib/agents/clawdcode/messages/message";
import { estimateTokens, type TextCount } from "@/lib/agents/clawdcode/messages/token-counter";
import { type FileContent, pathsInText } from "@/lib/agents/clawdcode/summary/file-analyzer";
import { retainCandidates, retained, withoutOrphans } from "@/lib/agents/clawdcode/summary/retain";
import { summaryPrompt } from "@/lib/agents/clawdcode/summary/summary-prompt";
import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import type { Conformance, GoldenContext } from "@/verify/golden";
import { compact, withinMemory } from "./compaction";
import { rejectingSpecialTokens } from "./encodings";
import { analyzeFiles, pathsInCall, shownFiles } from "./file-analyzer";
import { automaticSummary } from "./summary";
import {
  compactionThreshold,
  countTokens,
  estimateMessagesTokens,
  remainingTokens,
  shouldCompact,
  truncateMessages,
} from "./token-counter";

type Case = (input: JsonObject, context: GoldenContext, counters: CounterFor) => unknown;

/**
 * Golden cases for our functions. The host, which carries the tables, provides the exact counters; here they throw on special tokens as the
 * program does. The first part of a case's id names the function within the file.
 */
export function createConformance(counters: CounterFor): Conformance {
  const file = (functions: Readonly<Record<string, Case>>, other: Case) => {
    return (input: unknown, context: GoldenContext): unknown => {
      const name = context.id.split("/")[0] ?? "";
      const run = Object.hasOwn(functions, name) ? (functions[name] ?? other) : other;
      return run(isObject(input) ? input : {}, context, counters);
    };
  };
  return {
    "token-counter": file(
      { normalizeModelName: ({ model }) => modelAnswer(String(model)), specialTokens: textCase },
      countCase,
    ),
    estimates: file(ESTIMATES, ({ text }) => estimateTokens(String(text))),
    compaction: file(
      {
        prompt: ({ messages, files }) => summaryPrompt(messagesOf(messages), filesOf(files)),
        fallbackSummary: ({ messages }) => automaticSummary(messagesOf(messages)),
      },
      compactCase,
    ),
    "file-analyzer": file(FILES, analyzeCase),
    "orphan-filter": file({ retain: retainCase }, ({ messages }) => withoutOrphans(messagesOf(messages))),
    storage: file(STORAGE, (_input, { id }) => {
      throw new Error(`no function for ${id}`);
    }),
  };
}

function counterOf(input: JsonObject, counters: CounterFor): TextCount {
  const encoding = encodingOf(String(input.model ?? input.modelName ?? DEFAULT_MODEL));
  return rejectingSpecialTokens(encoding, counters(encoding));
}

function countCase(input: JsonObject, _context: GoldenContext, counters: CounterFor): unknown {
  return countTokens(messagesOf(input.messages), counterOf(input, counters));
}

function textCase(input: JsonObject, _context: GoldenContext, counters: CounterFor): unknown {
  return counterOf(input, counters)(String(input.text));
}

function modelAnswer(model: string): unknown {
  const normalized = normalizedModel(model);
  return { normalized, encoding: knownEncoding(normalized) ?? `(unsupported -> gpt-4 -> ${encodingOf(model)})` };
}

const ESTIMATES: Readonly<Record<string, Case>> = {
  estimateMessagesTokens: ({ messages }) => estimateMessagesTokens(messagesOf(messages)),
  threshold: (input) => compactionThreshold(Number(input.maxTokens), Number(input.thresholdPercent)),
  shouldCompact: (input, _context, counters) => {
    const count = countTokens(messagesOf(input.messages), counterOf(input, counters));
    const [most, share] = [Number(input.maxTokens), Number(input.thresholdPercent ?? 0.8)];
    return { shouldCompact: shouldCompact(count, most, share), count, threshold: compactionThreshold(most, share) };
  },
  truncateMessages: (input, _context, counters) =>
    truncateMessages(messagesOf(input.messages), Number(input.maxTokens), counterOf(input, counters)),
  getRemainingTokens: (input, _context, counters) =>
    remainingTokens(
      countTokens(messagesOf(input.messages), counterOf(input, counters)),
      Number(input.maxContextTokens ?? input.maxContext ?? input.maxTokens),
      Number(input.maxOutputTokens ?? input.maxOutput ?? MAX_OUTPUT_TOKENS),
    ),
};

/** The fake models of the cases, by name. */
const MODELS: Readonly<Record<string, () => Promise<string>>> = {
  ok: async () => "## Summary\nUser asked to refactor.",
  empty: async () => "",
  throws: async () => {
    throw new Error("LLM unavailable");
  },
};

function compactCase(input: JsonObject, { preset }: GoldenContext, counters: CounterFor): unknown {
  const summarize = MODELS[String(input.chatService)];
  return compact(messagesOf(input.messages), {
    count: counterOf(input, counters),
    preset: clawdcodePreset(preset),
    prevented: input.hook === "prevent",
    ...(summarize === undefined ? {} : { summarize }),
    ...(typeof input.actualPreTokens === "number" ? { actualPreTokens: input.actualPreTokens } : {}),
  });
}

function retainCase({ messages, retainPercent }: JsonObject): unknown {
  const all = messagesOf(messages);
  const share = Number(retainPercent);
  return {
    retainCount: retainCount(all.length, share),
    candidateCount: retainCandidates(all, share).length,
    retained: retained(all, share),
  };
}

const FILES: Readonly<Record<string, Case>> = {
  extract: ({ content }) => [...pathsInText(String(content)).keys()],
  toolcall: ({ call }) => pathsInCall(call),
  read: ({ paths }) =>
    shownFiles(Array.isArray(paths) ? paths.map(String) : [], fixtureContent).map((file) => ({
      ...file,
      contentLength: file.content.length,
      tail: file.content.slice(-40),
    })),
};

function analyzeCase({ messages }: JsonObject, { preset, constants }: GoldenContext): unknown {
  return analyzeFiles(messagesOf(messages), clawdcodePreset(preset), fixtureExists(constants.fixture));
}

/** Files and folders that existed when the cases were made. */
function fixtureExists(fixture: unknown): (path: string) => boolean {
  if (!isObject(fixture) || !Array.isArray(fixture.existing)) return () => true;
  const root = String(fixture.cwd);
  const known = new Set([root, "/"]);
  for (const file of fixture.existing.map(String)) {
    const parts = file.split("/");
    parts.forEach((_, index) => {
      known.add(`${root}/${parts.slice(0, index + 1).join("/")}`);
    });
  }
  return (path) => known.has(withoutDots(path.startsWith("/") ? path : `${root}/${path}`));
}

function withoutDots(path: string): string {
  return new URL(`file://${path}`).pathname.replace(/(.)\/+$/, "$1");
}

/** The contents of those files, as far as the cases show them. */
function fixtureContent(path: string): string | undefined {
  if (path === "src/index.ts") return "export const a = 1;\n";
  if (path === "src/big.ts") return `${Array.from({ length: 1500 }, (_, index) => `line ${index + 1}`).join("\n")}\n`;
  const numbered = /^src\/f(\d)\.ts$/.exec(path)?.[1];
  return numbered === undefined ? undefined : `${numbered}\n`;
}

const STORAGE: Readonly<Record<string, Case>> = {
  escapeProjectPath: ({ path }, { preset }) => projectFolder(String(path), clawdcodePreset(preset)),
  memory: memoryCase,
  jsonl: ({ file }) => {
    const entries = sessionEntries(String(file));
    const uuids = (list: readonly JsonObject[]) => list.map((entry) => entry.uuid);
    return { readAll: uuids(entries), readAfterCompaction: uuids(afterCompaction(entries)) };
  },
};

function memoryCase({ maxSize, adds }: JsonObject): unknown {
  let messages: readonly string[] = [];
  const sizes: number[] = [];
  for (let index = 0; index < Number(adds); index++) {
    messages = withinMemory([...messages, `m${index}`], Number(maxSize));
    sizes.push(messages.length);
  }
  return { finalCount: messages.length, firstId: messages[0], lastId: messages.at(-1), sizes };
}

function messagesOf(value: unknown): readonly ClawdMessage[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function filesOf(value: unknown): readonly FileContent[] {
  const files = Array.isArray(value) ? value.filter(isObject) : [];
  return files.map(({ path, content }) => ({
    path: String(path),
    content: String(content),
    lines: 0,
    truncated: false,
  }));
}
