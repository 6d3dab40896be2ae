import type { Conformance, GoldenContext } from "../../golden";
import { isObject, type JsonObject } from "../../json";
import { type PiEntry, toEntry } from "../messages/entry";
import { type PiMessage, toMessage, toUsage } from "../messages/message";
import { serializeConversation } from "../messages/serialize";
import { messageTokens } from "../messages/tokens";
import { type PiPreset, piPreset } from "../presets";
import { prepareBranchSummary } from "./branch-summary";
import { prepareCompaction, type SourcedMessage } from "./compaction";
import { findCutPoint } from "./cut-point";
import { isContextOverflow } from "./overflow";
import { estimateProjectedContext, type ProjectedEntry, sessionContext, sessionPath } from "./projection";
import { migrateSession, parseSessionFile } from "./session-file";
import { type CompactionSettings, type ContextEstimate, estimateContext, shouldCompact, usageTokens } from "./usage";

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
