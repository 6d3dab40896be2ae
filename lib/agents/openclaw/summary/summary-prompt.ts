import type { Share, Tokens } from "@/lib/core/base/units";
import { openClawPreset } from "../base/presets";
import { messagesTokens } from "../messages/estimate";
import type { AgentMessage } from "../messages/message";
import { hasMuchNewContent } from "../policy/chunk-sizes";
import { adaptiveChunkRatio, pruneHistory } from "./chunks";
import { type FileLists, type FileOperations, fileLists, fileSections } from "./file-operations";
import { MERGE_INSTRUCTIONS, type SummaryCall, summarizeInStages } from "./summary-stages";
import { toolFailuresSection } from "./tool-failures";

/**
 * Requests that OpenClaw sends for a summary, as far as known: the history in parts, each in calls of its own. For 2026.2.1 the requests of the
 * merging call, and of the call about the beginning of a split turn, are known exactly; for 2026.9.6 none is known. Source: README.md, "Summaries".
 */
export function summaryPromptOf<Entry>(history: readonly Entry[], preset: string) {
  const isKnown = openClawPreset(preset) === "as-documented";
  return {
    system: null,
    text: isKnown ? `${MERGE_INSTRUCTIONS}\n\n---\n\n${TURN_PREFIX_INSTRUCTIONS}` : "",
    sent: history,
    notes: ["systemUnknown", "instructionsUnknown", isKnown ? "inPartsAsked" : "inParts"] as const,
  };
}

/**
 * The summariser with which release 2026.2.1 replaces pi's. It decides what is summarised, not what is kept: the first kept entry is pi's choice.
 * Source: README.md, "Summaries"; openclaw@2026.2.1, agents/pi-extensions/compaction-safeguard.
 */

/** Input that pi has prepared. */
export interface Preparation {
  readonly messages: readonly AgentMessage[];
  readonly turnPrefix: readonly AgentMessage[];
  readonly isSplitTurn: boolean;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: Tokens | undefined;
  readonly previousSummary: string | undefined;
  readonly files: FileOperations;
  readonly reserveTokens: Tokens;
}

interface SafeguardOptions {
  /** Absent without a model, or without a key for it. */
  readonly call: SummaryCall | undefined;
  readonly window: Tokens;
  /** Share of the window for the summarised messages. */
  readonly maxHistoryShare: Share;
  readonly instructions?: string | undefined;
}

interface CompactionResult extends Pick<Preparation, "firstKeptEntryId" | "tokensBefore"> {
  readonly summary: string;
  readonly details: FileLists;
}

/** The text that replaces a failed summary. */
const FALLBACK_SUMMARY = "Summary unavailable due to context limits. Older messages were truncated.";
const TURN_CONTEXT = "\n\n---\n\n**Turn Context (split turn):**\n\n";
/** The instructions for summarising the beginning of a turn that the cut splits. */
const TURN_PREFIX_INSTRUCTIONS =
  "This summary covers the prefix of a split turn. Focus on the original request," +
  " early progress, and any details needed to understand the retained suffix.";

/** Makes the compaction that replaces pi's. It never fails: without a summary it leaves a note. */
export async function safeguardCompaction(
  preparation: Preparation,
  options: SafeguardOptions,
): Promise<CompactionResult> {
  const files = fileLists(preparation.files);
  const failures = toolFailuresSection([...preparation.messages, ...preparation.turnPrefix]);
  const summary = (await summarized(preparation, options)) ?? FALLBACK_SUMMARY;
  return {
    summary: summary + failures + fileSections(files),
    firstKeptEntryId: preparation.firstKeptEntryId,
    tokensBefore: preparation.tokensBefore,
    details: files,
  };
}

async function summarized(preparation: Preparation, options: SafeguardOptions): Promise<string | undefined> {
  const { call } = options;
  if (call === undefined) return undefined;
  try {
    const { messages, previousSummary } = await withinShare(preparation, options, call);
    const plan = planFor(preparation, options, [...messages, ...preparation.turnPrefix]);
    const history = await summarizeInStages({ ...plan, messages, previousSummary }, call);
    if (!preparation.isSplitTurn || preparation.turnPrefix.length === 0) return history;
    const prefix = { ...plan, messages: preparation.turnPrefix, instructions: TURN_PREFIX_INSTRUCTIONS };
    return `${history}${TURN_CONTEXT}${await summarizeInStages(prefix, call)}`;
  } catch {
    return undefined;
  }
}

function planFor({ reserveTokens }: Preparation, options: SafeguardOptions, measured: readonly AgentMessage[]) {
  const ratio = adaptiveChunkRatio(measured, options.window);
  return {
    messages: measured,
    maxChunkTokens: Math.max(1, Math.floor(options.window * ratio)),
    window: options.window,
    reserveTokens: Math.max(1, Math.floor(reserveTokens)),
    instructions: options.instructions,
  };
}

/** Chooses the messages to summarise: if much new content came, the oldest part first goes into a summary of its own. */
async function withinShare(
  preparation: Preparation,
  options: SafeguardOptions,
  call: SummaryCall,
): Promise<{ messages: readonly AgentMessage[]; previousSummary: string | undefined }> {
  const { messages, previousSummary } = preparation;
  const { window, maxHistoryShare } = options;
  const unchanged = { messages, previousSummary };
  if (!leavesMuch(preparation, window, maxHistoryShare)) return unchanged;
  const pruned = pruneHistory(messages, window, maxHistoryShare);
  if (pruned.droppedChunks === 0) return unchanged;
  const plan = planFor(preparation, options, pruned.dropped);
  const dropped = await orNothing(summarizeInStages({ ...plan, previousSummary }, call));
  return { messages: pruned.messages, previousSummary: dropped ?? previousSummary };
}

async function orNothing(summary: Promise<string>): Promise<string | undefined> {
  try {
    return await summary;
  } catch {
    return undefined;
  }
}

/** True if the kept items exceed the history's share, including its margin. */
function leavesMuch({ messages, turnPrefix, tokensBefore }: Preparation, window: Tokens, share: Share): boolean {
  if (tokensBefore === undefined || !Number.isFinite(tokensBefore)) return false;
  const summarizable = messagesTokens(messages, "as-documented") + messagesTokens(turnPrefix, "as-documented");
  return hasMuchNewContent(tokensBefore, summarizable, window, share);
}
