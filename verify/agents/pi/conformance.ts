import { FILLED_SHARE, ROOM_FOR_SUMMARY } from "@/lib/agents/pi/base/constants";
import { type PiPreset, piPreset } from "@/lib/agents/pi/base/presets";
import { messageTokens } from "@/lib/agents/pi/estimator";
import { type FileDetails, messageOfEntry, type PiEntry, toEntry } from "@/lib/agents/pi/messages/entry";
import { type AssistantMessage, type PiMessage, toMessage, toUsage } from "@/lib/agents/pi/messages/message";
import { FileTracker } from "@/lib/agents/pi/summary/files";
import { serializeConversation } from "@/lib/agents/pi/summary/summary-prompt";
import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import type { Conformance, GoldenContext } from "@/verify/golden";
import { prepareCompaction, type SourcedMessage } from "./compaction";
import { findCutPoint } from "./cut-point";
import {
  type ContextEdits,
  contextEdits,
  editedMessages,
  estimateProjectedContext,
  type ProjectedEntry,
  sessionContext,
  sessionPath,
} from "./projection";
import { migrateSession, parseSessionFile } from "./session-file";
import { type CompactionSettings, type ContextEstimate, estimateContext, shouldCompact, usageTokens } from "./usage";

/** Error texts from which pi, in both releases, concludes that a request was too long. Source: README.md, "Overflow errors". */
const PATTERNS: readonly RegExp[] = [
  /input is too long for requested model/i,
  /exceeds the context window/i,
  /maximum prompt length is \d/i,
  /reduce the length of the messages/i,
  /maximum context length is \d+ tokens/i,
  /exceeds the limit of \d/i,
  /exceeds the available context size/i,
  /greater than the context length/i,
  /context window exceeds limit/i,
  /exceeded model token limit/i,
  /context[_ ]length[_ ]exceeded/i,
  /too many tokens/i,
  /token limit exceeded/i,
];

const PATTERNS_OF: Readonly<Record<PiPreset, readonly RegExp[]>> = {
  "v0.51.0": [...PATTERNS, /prompt is too long/i],
  current: [
    ...PATTERNS,
    /prompt (?:is )?too long/i,
    /prompt exceeds max length/i,
    /request_too_large/i,
    /exceeds (?:the )?(?:model'?s )?maximum context length(?: of [\d,]+ tokens?|\s*\([\d,]+\))/i,
    /context window exceeded/i,
    /exceeds (?:the )?maximum allowed input length of [\d,]+ tokens?/i,
    /input \(\d+ tokens\) is longer than the model'?s context length \(\d+ tokens\)/i,
    /too large for model with \d+ maximum context length/i,
    /prompt has [\d,]+ tokens?, but the configured context size is [\d,]+ tokens?/i,
    /model_context_window_exceeded/i,
    /range of input length should be/i,
    /^(?:[\w -]+ API error \(413\):|413(?:\s|:|$))/i,
  ],
};

/** An answer without a body. `v0.51.0` treats it as an overflow from any provider, `current` only from Cerebras. */
const WITHOUT_BODY = /^4(?:00|13)\s*(?:status code\s*)?\(no body\)/i;

/** Texts that mean another failure, whatever else they say (`current`). */
const OTHER_FAILURES: readonly RegExp[] = [
  /^(?:Throttling error|Service unavailable):/i,
  /rate limit/i,
  /too many requests/i,
];

/**
 * True if a response shows that the context exceeded the window: by its error, by more input than the window holds, or (`current`) by a full
 * window without output. Source: README.md, "Overflow errors".
 * @param window if it is absent or 0, only the error counts
 */
export function isContextOverflow(message: AssistantMessage, window: Tokens | undefined, preset: PiPreset): boolean {
  if (saysOverflow(message, preset)) return true;
  if (!window || message.usage === undefined) return false;
  const input = Number(message.usage.input) + Number(message.usage.cacheRead);
  if (message.stopReason === "stop") return input > window;
  const cutShort = message.stopReason === "length" && message.usage.output === 0;
  return preset === "current" && cutShort && input >= window * FILLED_SHARE;
}

function saysOverflow(message: AssistantMessage, preset: PiPreset): boolean {
  const text = message.errorMessage ?? "";
  if (message.stopReason !== "error" || text === "") return false;
  if (preset === "current" && OTHER_FAILURES.some((pattern) => pattern.test(text))) return false;
  if (PATTERNS_OF[preset].some((pattern) => pattern.test(text)) || saysInputCount(text)) return true;
  return (preset === "v0.51.0" || message.provider === "cerebras") && WITHOUT_BODY.test(text);
}

/** Matches `/input token count.*exceeds the maximum/i` in linear time: both parts on one line, in this order. */
function saysInputCount(text: string): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const count = /input token count/i.exec(line);
    return count !== null && /exceeds the maximum/i.test(line.slice(count.index + count[0].length));
  });
}

/** Runs golden cases through our functions. This file only translates names and shapes, and holds no rule. */
export const conformance: Conformance = {
  buildSessionContext: adapter(({ entries, leafId }, preset) => {
    const leaf = typeof leafId === "string" ? leafId : undefined;
    const { entries: projected, thinkingLevel, model } = sessionContext(entriesOf(entries), preset, leaf);
    return { messages: projected.flatMap(contextShape), thinkingLevel, model };
  }),
  calculateContextTokens: adapter(({ usage }) => usageTokens(toUsage(isObject(usage) ? usage : {}))),
  estimateContextTokens: adapter(({ messages }, preset) =>
    estimateShape(estimateContext(messagesOf(messages), preset)),
  ),
  estimateProjectedContextTokens: adapter(({ entries }) => {
    const path = sessionPath(entriesOf(entries));
    return estimateShape(estimateProjectedContext(sessionContext(path, "current").entries, entriesOf(entries)));
  }),
  estimateTokens: adapter((message, preset) => messageTokens(toMessage(message), preset)),
  findCutPoint: adapter(({ entries, startIndex, endIndex, keepRecentTokens }, preset) => {
    const [start, end, keep] = [Number(startIndex), Number(endIndex), Number(keepRecentTokens)];
    const cut = findCutPoint(entriesOf(entries), start, end, keep, preset);
    return { firstKeptEntryIndex: cut.firstKept, turnStartIndex: cut.turnStart, isSplitTurn: cut.isSplitTurn };
  }),
  isContextOverflow: adapter(({ message, contextWindow }, preset) => {
    const response = toMessage(message);
    const window = typeof contextWindow === "number" ? contextWindow : undefined;
    return response.role === "assistant" && isContextOverflow(response, window, preset);
  }),
  parseAndMigrate: adapter(({ content }) => migrationShape(String(content))),
  prepareBranchEntries: adapter(({ entries, tokenBudget }, preset) => {
    const { messages, totalTokens, files } = prepareBranchSummary(entriesOf(entries), Number(tokenBudget ?? 0), preset);
    return { totalTokens, messages: messages.map((one) => sourcedShape(one, preset)), fileLists: files };
  }),
  prepareCompaction: adapter(({ pathEntries, settings }, preset) => {
    const prepared = prepareCompaction(entriesOf(pathEntries), settingsOf(settings), preset);
    if (prepared === undefined) return null;
    return {
      firstKeptEntryId: prepared.firstKeptEntryId,
      isSplitTurn: prepared.isSplitTurn,
      tokensBefore: prepared.tokensBefore,
      previousSummary: prepared.previousSummary,
      messagesToSummarize: prepared.messagesToSummarize.map((one) => sourcedShape(one, preset)),
      turnPrefixMessages: prepared.turnPrefix.map((one) => sourcedShape(one, preset)),
      fileLists: prepared.files,
    };
  }),
  serializeConversation: adapter(({ messages }, preset) => serializeConversation(messagesOf(messages), preset)),
  shouldCompact: adapter(({ contextTokens, contextWindow, settings }) =>
    shouldCompact(Number(contextTokens), Number(contextWindow), settingsOf(settings)),
  ),
};

function adapter(answer: (input: JsonObject, preset: PiPreset) => unknown): Conformance[string] {
  return (input: unknown, { preset }: GoldenContext) => answer(isObject(input) ? input : {}, piPreset(preset));
}

function entriesOf(value: unknown): readonly PiEntry[] {
  return Array.isArray(value) ? value.map(toEntry) : [];
}

function messagesOf(value: unknown): readonly PiMessage[] {
  return Array.isArray(value) ? value.map(toMessage) : [];
}

function settingsOf(value: unknown): CompactionSettings {
  const settings = isObject(value) ? value : {};
  return {
    enabled: settings.enabled === true,
    reserveTokens: Number(settings.reserveTokens),
    keepRecentTokens: Number(settings.keepRecentTokens),
  };
}

function estimateShape(estimate: ContextEstimate): unknown {
  return { ...estimate, lastUsageIndex: estimate.lastUsageIndex ?? null };
}

/** A message that comes from another kind of entry has no entry id. */
function contextShape({ entry, messages }: ProjectedEntry): readonly unknown[] {
  return messages.map((message) => ({
    entryId: entry.type === "message" ? entry.id : null,
    ...message,
    role: roleOf(message),
  }));
}

function sourcedShape({ entry, message }: SourcedMessage, preset: PiPreset): unknown {
  const entryId = entry.type === "message" ? entry.id : null;
  return { entryId, role: roleOf(message), tokens: messageTokens(message, preset) };
}

function roleOf(message: PiMessage): string {
  return message.role === "other" ? message.name : message.role;
}

function migrationShape(content: string): unknown {
  const parsed = parseSessionFile(content).map(propertiesOf);
  const hadId = parsed.map((fields) => Boolean(fields().id));
  const entries = migrateSession(parseSessionFile(content)).map((value) => propertiesOf(value)());
  const indexOf = (id: unknown) => entries.findIndex((entry) => entry.id === id);
  const parentIndex = (parent: unknown) => (parent === null || parent === undefined ? null : indexOf(parent));
  return {
    count: entries.length,
    hadId,
    types: entries.map((entry) => entry.type ?? null),
    version: entries.find((entry) => entry.type === "session")?.version ?? null,
    parentIndex: entries.map((entry) => parentIndex(entry.parentId)),
    firstKeptIndex: entries
      .filter((entry) => entry.type === "compaction")
      .map((entry) => indexOf(entry.firstKeptEntryId)),
    roles: entries
      .filter((entry) => entry.type === "message")
      .map((entry) => (isObject(entry.message) ? (entry.message.role ?? null) : null)),
  };
}

/** A value's properties; `null` has none, and reading the first one throws, as it does in the program. */
function propertiesOf(value: unknown): () => JsonObject {
  return () => {
    if (value === null) throw new TypeError("Cannot read properties of null (reading 'id')");
    return isObject(value) ? value : {};
  };
}

/** The material for the summary of an abandoned branch. */
interface BranchPreparation {
  readonly messages: readonly SourcedMessage[];
  readonly totalTokens: Tokens;
  readonly files: FileDetails;
}

/**
 * The newest messages of a branch within a budget, without results. The files of a message that no longer fits are still listed. Source:
 * README.md, "Branch summaries".
 * @param budget tokens; 0 means no limit
 */
function prepareBranchSummary(entries: readonly PiEntry[], budget: Tokens, preset: PiPreset): BranchPreparation {
  const files = new FileTracker(preset);
  for (const entry of entries) if (entry.type === "branch_summary") files.details(entry.files);
  const edits: ContextEdits = preset === "current" ? contextEdits(entries) : new Map();
  const messages: SourcedMessage[] = [];
  let totalTokens = 0;
  for (const entry of [...entries].reverse()) {
    const message = branchMessage(entry, edits);
    if (message === undefined) continue;
    files.message(message);
    const tokens = messageTokens(message, preset);
    const full = budget > 0 && totalTokens + tokens > budget;
    if (full && !(isSummary(entry) && totalTokens < budget * ROOM_FOR_SUMMARY)) break;
    messages.unshift({ entry, message });
    totalTokens += tokens;
    if (full) break;
  }
  return { messages, totalTokens, files: files.lists() };
}

/** The message that an entry gives to a branch's summary: a summary unchanged, a message as edited, and none for a result. */
function branchMessage(entry: PiEntry, edits: ContextEdits): PiMessage | undefined {
  if (entry.type === "message" && entry.message.role === "toolResult") return undefined;
  if (isSummary(entry) || !edits.has(entry.id)) return messageOfEntry(entry);
  return editedMessages(entry, edits)[0];
}

function isSummary(entry: PiEntry): boolean {
  return entry.type === "compaction" || entry.type === "branch_summary";
}
