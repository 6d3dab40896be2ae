import {
  aggregateResultChars,
  autoResultChars,
  effectiveReserve,
  liveResultChars,
} from "@/lib/agents/openclaw/base/constants";
import { type OpenClawPreset, openClawPreset } from "@/lib/agents/openclaw/base/presets";
import type { SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { messagesTokens, messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { repairPairing } from "@/lib/agents/openclaw/messages/repair";
import { stringChars } from "@/lib/agents/openclaw/messages/string-chars";
import { type JsonObject, listOf, objectOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { isContextOverflow, isLikelyContextOverflow } from "@/lib/agents/openclaw/read/overflow-errors";
import { bootstrapFiles } from "@/lib/agents/openclaw/report/bootstrap-files";
import { contextReply } from "@/lib/agents/openclaw/report/context-reply";
import { guardWindow } from "@/lib/agents/openclaw/report/context-window";
import { promptReport } from "@/lib/agents/openclaw/report/prompt-report";
import type { PruningSettings } from "@/lib/agents/openclaw/sent/pruning-settings";
import { truncateResultText } from "@/lib/agents/openclaw/sent/truncate-result";
import {
  adaptiveChunkRatio,
  chunkByMaximum,
  isOversized,
  pruneHistory,
  splitByShare,
} from "@/lib/agents/openclaw/summary/chunks";
import { fileLists } from "@/lib/agents/openclaw/summary/file-operations";
import type { Conformance, GoldenContext } from "@/verify/golden";
import {
  isMemoryFlushDue,
  memoryFlushSettings,
  raisedReserve,
  reserveTokensFloor,
  withCompactionDefaults,
  withPruningDefaults,
} from "./config-defaults";
import {
  indices,
  messagesOf,
  numberOrNothing,
  numberOrNull,
  objectsOf,
  partsOf,
  positions,
  withoutNulls,
} from "./conformance-input";
import { safeguard, stages } from "./conformance-summaries";
import { windowInfo } from "./context-window";
import { findCutPoint } from "./cut-point";
import { isAboveThreshold } from "./exact-run";
import { pruneGroupedHistory, stageSplit, summaryChunks, withoutOversized } from "./planning";
import { prepareCompaction } from "./prepare-compaction";
import { promptDecision } from "./pressure";
import { prunableTools, pruneResults } from "./prune";
import { pruningSettings } from "./pruning-settings";
import { limitTurns } from "./turns";
import { isNonzero, normalizeUsage, promptTokens } from "./usage";

/**
 * Golden cases for our functions: our answer to a case's input, by the function's name. This file only translates names and shapes, and holds no
 * rule.
 */
export const conformance: Conformance = {
  buildBootstrapContextFiles: onInput((input, { preset }) => {
    const options = objectOf(input.opts);
    return bootstrapFiles(objectsOf(input.files), preset, {
      maxChars: numberOrNothing(options.maxChars),
      totalMaxChars: numberOrNothing(options.totalMaxChars),
    });
  }),
  chunkMessagesByMaxTokens: onInput((input) => {
    const messages = messagesOf(input.messages);
    return indices(messages, chunkByMaximum(messages, Number(input.maxTokens)));
  }),
  compactionPlanning: onInput(planning),
  compactionSafeguard: onInput(safeguard),
  computeAdaptiveChunkRatio: onInput((input) =>
    adaptiveChunkRatio(messagesOf(input.messages), Number(input.contextWindow)),
  ),
  computeEffectiveSettings: (input) => pruningSettings(input),
  configDefaults: onInput((input, { id }) =>
    id.startsWith("pruning") ? withPruningDefaults(input) : withCompactionDefaults(input),
  ),
  estimateMessagesTokens: onInput((input, { preset }) => messagesTokens(messagesOf(input.messages), preset)),
  estimateStringChars: (input) => stringChars(textOf(input) ?? ""),
  estimateTokens: onInput((input, { preset }) => messageTokens(input, preset)),
  evaluateContextWindowGuard: onInput((input, { preset }) => {
    const info = objectOf(input.info);
    const guard = guardWindow(info.tokens, preset, {
      warnBelow: numberOrNothing(input.warnBelowTokens),
      blockBelow: numberOrNothing(input.hardMinTokens),
      reference: info.referenceTokens,
    });
    return {
      ...info,
      tokens: guard.tokens,
      hardMinTokens: guard.blockBelow,
      warnBelowTokens: guard.warnBelow,
      shouldWarn: guard.warns,
      shouldBlock: guard.blocks,
    };
  }),
  findCutPoint: onInput((input, { preset }) => {
    const entries: readonly SessionEntry[] = objectsOf(input.entries);
    const start = Number(input.startIndex ?? 0);
    const end = Number(input.endIndex ?? entries.length);
    const cut = findCutPoint(entries, start, end, Number(input.keepRecentTokens), preset);
    return { firstKeptEntryIndex: cut.firstKept, turnStartIndex: cut.turnStart, isSplitTurn: cut.isSplitTurn };
  }),
  isOversizedForSummary: onInput((input) => isOversized(objectOf(input.message), Number(input.contextWindow))),
  limitHistoryTurns: onInput((input) => {
    const messages = messagesOf(input.messages);
    return positions(messages, limitTurns(messages, numberOrNothing(input.limit)));
  }),
  makeToolPrunablePredicate: onInput((input) => prunableTools(objectOf(input.match))(textOf(input.toolName) ?? "")),
  overflowErrors: (input) => {
    const text = textOf(input);
    return {
      isContextOverflowError: isContextOverflow(text),
      isLikelyContextOverflowError: isLikelyContextOverflow(text),
      isCompactionFailureError: isCompactionFailure(text),
    };
  },
  piSettings: onInput(reserve),
  prepareCompaction: onInput(preparation),
  pruneContextMessages: onInput(pruning),
  pruneHistoryForContextShare: onInput((input) => {
    const messages = messagesOf(input.messages);
    const share = numberOrNothing(input.maxHistoryShare);
    return prunedHistory(messages, pruneHistory(messages, Number(input.maxContextTokens), share, partsOf(input)));
  }),
  repairToolUseResultPairing: onInput((input) => {
    const given = listOf(input.messages);
    const repaired = repairPairing(given);
    return {
      same: repaired.messages === given,
      messages: positions(given, repaired.messages),
      added: repaired.added.length,
      droppedDuplicateCount: repaired.duplicates,
      droppedOrphanCount: repaired.orphans,
      moved: repaired.changed,
    };
  }),
  resolveContextWindowInfo: onInput((input, { preset }) =>
    windowInfo(
      {
        provider: textOf(input.provider) ?? "",
        modelId: textOf(input.modelId) ?? "",
        defaultTokens: Number(input.defaultTokens),
        modelContextWindow: input.modelContextWindow,
        modelContextTokens: input.modelContextTokens,
        config: input.cfg,
      },
      preset,
    ),
  ),
  resolveEffectiveCompactionReserveTokens: onInput((input) =>
    effectiveReserve(Number(input.contextTokenBudget), Number(input.reserveTokens)),
  ),
  resolveMemoryFlushSettings: (input) => memoryFlushSettings(input),
  shouldCompact: onInput((input, { preset }) => {
    const settings = objectOf(input.settings);
    const inForce = { enabled: settings.enabled === true, reserveTokens: Number(settings.reserveTokens) };
    return isAboveThreshold(Number(input.contextTokens), Number(input.contextWindow), inForce, preset === "current");
  }),
  shouldPreemptivelyCompactBeforePrompt: onInput(preemptive),
  shouldRunMemoryFlush: onInput((input) =>
    isMemoryFlushDue(objectOf(input.entry), {
      window: Number(input.contextWindowTokens),
      reserveTokensFloor: Number(input.reserveTokensFloor),
      softThresholdTokens: Number(input.softThresholdTokens),
    }),
  ),
  splitMessagesByTokenShare: onInput((input) => {
    const messages = messagesOf(input.messages);
    // Numbers that JSON cannot hold, such as NaN, are null here; if no number of parts is requested, the field is absent.
    const parts = input.parts === null ? Number.NaN : partsOf(input);
    return indices(messages, splitByShare(messages, parts));
  }),
  summarizeStages: onInput(stages),
  systemPromptReport: onInput((input) => promptReport(withoutNulls(objectOf(input.params)))),
  toolResultLimits: onInput((input) => {
    const window = Number(input.contextWindowTokens);
    return {
      live: numberOrNull(liveResultChars(window)),
      auto: autoResultChars(window),
      aggregate: numberOrNull(aggregateResultChars(window)),
    };
  }),
  truncateToolResultText: onInput((input) =>
    truncateResultText(textOf(input.text) ?? "", Number(input.maxChars), {
      minKeepChars: numberOrNothing(objectOf(input.options).minKeepChars),
    }),
  ),
  usage: onInput((input, { id }) => {
    const normalized = normalizeUsage(input);
    if (id.startsWith("normalize")) return { normalizeUsage: normalized };
    return { derivePromptTokens: promptTokens(normalized ?? {}), hasNonzeroUsage: isNonzero(normalized ?? {}) };
  }),
};

/** OpenClaw's replies to the commands in a report's case. */
export function contextReplies(input: unknown, commands: readonly string[]): Readonly<Record<string, string>> {
  const { params, sessionEntry, contextTokens } = objectOf(input);
  const report = promptReport(withoutNulls(objectOf(params)));
  const entry = objectOf(sessionEntry);
  const session = {
    totalTokens: entry.totalTokens,
    inputTokens: entry.inputTokens,
    outputTokens: entry.outputTokens,
    contextTokens,
  };
  return Object.fromEntries(commands.map((command) => [command, contextReply(command, report, session)]));
}

interface Case {
  readonly id: string;
  readonly preset: OpenClawPreset;
}

function onInput(run: (input: JsonObject, context: Case) => unknown) {
  return (input: unknown, { id, preset }: GoldenContext): unknown =>
    run(objectOf(input), { id, preset: openClawPreset(preset) });
}

function planning(input: JsonObject): unknown {
  const messages = messagesOf(input.messages);
  const window = Number(input.contextWindow);
  switch (input.function) {
    case "estimateMessagesTokens":
      return messagesTokens(messages, "current");
    case "computeAdaptiveChunkRatio":
      return adaptiveChunkRatio(messages, window, "current");
    case "buildSummaryChunks":
      return indices(messages, summaryChunks(messages, Number(input.maxChunkTokens)));
    case "buildStageSplitPlan": {
      const options = { parts: partsOf(input), minMessagesForSplit: numberOrNothing(input.minMessagesForSplit) };
      const chunks = stageSplit(messages, Number(input.maxChunkTokens), options);
      return chunks === undefined ? { mode: "single" } : { mode: "split", chunks: indices(messages, chunks) };
    }
    case "buildOversizedFallbackPlan": {
      const plan = withoutOversized(messages, window);
      return { smallMessages: positions(messages, plan.messages), oversizedNotes: plan.notes };
    }
    default: {
      const share = Number(input.maxHistoryShare);
      const pruned = pruneGroupedHistory(messages, Number(input.maxContextTokens), share, partsOf(input));
      return prunedHistory(messages, pruned);
    }
  }
}

function prunedHistory(given: readonly AgentMessage[], pruned: ReturnType<typeof pruneHistory>): unknown {
  return {
    messages: positions(given, pruned.messages),
    droppedMessagesList: positions(given, pruned.dropped),
    droppedChunks: pruned.droppedChunks,
    droppedMessages: pruned.dropped.length,
    droppedTokens: pruned.droppedTokens,
    keptTokens: pruned.keptTokens,
    budgetTokens: pruned.budget,
  };
}

function preparation(input: JsonObject, { preset }: Case): unknown {
  const branch: readonly SessionEntry[] = objectsOf(input.pathEntries);
  const prepared = prepareCompaction(branch, Number(objectOf(input.settings).keepRecentTokens), preset);
  if (prepared === undefined) return null;
  const describe = (message: AgentMessage) => ({
    entryId: branch.find((entry) => entry.message === message)?.id,
    role: message.role,
    tokens: messageTokens(message, preset),
  });
  return {
    firstKeptEntryId: prepared.firstKeptEntryId,
    isSplitTurn: prepared.isSplitTurn,
    tokensBefore: prepared.tokensBefore,
    previousSummary: prepared.previousSummary,
    messagesToSummarize: prepared.messages.map(describe),
    turnPrefixMessages: prepared.turnPrefix.map(describe),
    fileLists: fileLists(prepared.files),
  };
}

function pruning(input: JsonObject, { preset }: Case): unknown {
  const messages = messagesOf(input.messages);
  const given = numberOrNothing(input.contextWindowTokensOverride);
  const window = given !== undefined && given > 0 ? given : numberOrNothing(input.modelContextWindow);
  // The case gives the settings in the program's shape, which is ours too.
  const settings = input.settings as PruningSettings;
  const pruned = pruneResults(messages, { settings, window, preset });
  return {
    unchanged: pruned === messages,
    changed: pruned.flatMap((message, index) =>
      message === messages[index] ? [] : [{ index, content: message.content }],
    ),
  };
}

function reserve(input: JsonObject): unknown {
  if (Object.hasOwn(input, "reserveTokensFloor")) {
    return reserveTokensFloor({ agents: { defaults: { compaction: input } } });
  }
  const change = raisedReserve(Number(input.current), numberOrNothing(input.minReserveTokens));
  const { reserveTokens } = change;
  return {
    didOverride: change.overridden,
    reserveTokens,
    overrides: change.overridden ? { compaction: { reserveTokens } } : null,
  };
}

function preemptive(input: JsonObject): unknown {
  const decision = promptDecision({
    messages: messagesOf(input.messages),
    prompt: textOf(input.prompt) ?? "",
    systemPrompt: textOf(input.systemPrompt),
    toolSchemaTokens: numberOrNothing(input.toolSchemaTokens),
    window: Number(input.contextTokenBudget),
    reserveTokens: Number(input.reserveTokens),
    maxResultChars: numberOrNothing(input.toolResultMaxChars),
  });
  return {
    route: decision.route,
    shouldCompact: decision.route === "compact_only" || decision.route === "compact_then_truncate",
    estimatedPromptTokens: decision.estimatedTokens,
    pressureSource: decision.measured ? "provider_context_usage" : "transcript_estimate",
    promptBudgetBeforeReserve: decision.budget,
    overflowTokens: decision.overflowTokens,
    toolResultReducibleChars: decision.reducibleChars,
    effectiveReserveTokens: decision.reserve,
  };
}

/** True if a compaction itself overflowed. */
function isCompactionFailure(text: string | undefined): boolean {
  if (text === undefined || !isContextOverflow(text)) return false;
  const lower = text.toLowerCase();
  return lower.includes("summarization failed") || lower.includes("compaction");
}
