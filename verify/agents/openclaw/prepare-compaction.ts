import { budgetScale } from "@/lib/agents/openclaw/base/constants";
import { losesKept, type OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { messageOfEntry, type SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { textOf } from "@/lib/agents/openclaw/messages/value";
import { addFileOperations, noFileOperations } from "@/lib/agents/openclaw/summary/file-operations";
import type { Preparation } from "@/lib/agents/openclaw/summary/summary-prompt";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import { findCutPoint } from "./cut-point";
import { contextOf, isBoundary, keptByReset } from "./entry";
import { addCarriedFiles } from "./file-operations";
import { estimateContext } from "./usage";

/** Preparation of a compaction: pi's part in release 2026.2.1, OpenClaw's own in 2026.9.6. */
interface PreparedCompaction extends Omit<Preparation, "reserveTokens" | "tokensBefore"> {
  /** Position of the first kept entry in the branch. */
  readonly firstKept: number;
  /** The estimate at this moment. */
  readonly tokensBefore: Tokens;
}

/**
 * Prepares the compaction of a branch; `undefined` if there is nothing to compact. Source: README.md, "Summarised text" and
 * openclaw@2026.9.6, agent-core compaction.
 */
export function prepareCompaction(
  branch: readonly SessionEntry[],
  keepRecentTokens: Tokens,
  preset: OpenClawPreset,
): PreparedCompaction | undefined {
  return preset === "current"
    ? currentPreparation(branch, keepRecentTokens)
    : documentedPreparation(branch, keepRecentTokens, preset);
}

/**
 * pi's preparation. pi 0.51 considers only entries after the last compaction: the part that it kept is neither summarised nor kept again. pi 0.73
 * begins with the kept part.
 */
function documentedPreparation(
  branch: readonly SessionEntry[],
  keepRecentTokens: Tokens,
  preset: OpenClawPreset,
): PreparedCompaction | undefined {
  if (branch.at(-1)?.type === "compaction") return undefined;
  const boundaryAt = branch.findLastIndex((entry) => isBoundary(entry, preset));
  const counted = messagesOf(branch.slice(Math.max(0, boundaryAt)), preset);
  const first = branch.findIndex((entry) => entry.id === branch[boundaryAt]?.firstKeptEntryId);
  return prepared({
    entries: branch,
    start: losesKept(preset) || boundaryAt < 0 || first < 0 ? boundaryAt + 1 : first,
    offset: 0,
    keepRecentTokens,
    preset,
    tokensBefore: estimateContext(counted, preset).tokens,
    boundary: branch[boundaryAt],
    prelude: [],
  });
}

function messagesOf(entries: readonly SessionEntry[], preset: OpenClawPreset): readonly AgentMessage[] {
  return entries.map((entry) => messageOfEntry(entry, preset)).filter((message) => message !== undefined);
}

/** 2026.9.6 also summarises the part that the last compaction kept, and measures the budget in the provider's tokens. */
function currentPreparation(branch: readonly SessionEntry[], keepRecentTokens: Tokens): PreparedCompaction | undefined {
  const preset = "current";
  const last = branch.at(-1);
  if (last === undefined || last.type === "reset" || (last.type === "compaction" && last.fromHook)) return undefined;
  const boundaryAt = branch.findLastIndex((entry) => isBoundary(entry, preset));
  const boundary = branch[boundaryAt];
  const first = boundary === undefined ? -1 : branch.findIndex((entry) => entry.id === boundary.firstKeptEntryId);
  const isReset = boundary?.type === "reset";
  const prelude = isReset && first >= 0 ? messagesOf(keptByReset(branch.slice(first, boundaryAt)), preset) : [];
  const context = contextOf(branch, preset).map(({ message }) => message);
  const { tokens, usageTokens } = estimateContext(context, preset);
  const scale = budgetScale(usageTokens, sumOf(context.map(sizeOf)), keepRecentTokens);
  const result = prepared({
    entries: isReset ? branch.slice(boundaryAt + 1) : branch,
    start: isReset || boundary === undefined ? 0 : first >= 0 ? first : boundaryAt + 1,
    offset: isReset ? boundaryAt + 1 : 0,
    keepRecentTokens: Math.min(Number.MAX_SAFE_INTEGER, keepRecentTokens / scale + sumOf(prelude.map(sizeOf))),
    preset,
    tokensBefore: tokens,
    boundary: isReset ? undefined : boundary,
    prelude,
  });
  return result !== undefined && result.messages.length + result.turnPrefix.length > 0 ? result : undefined;
}

function sizeOf(message: AgentMessage): Tokens {
  return messageTokens(message, "current");
}

interface PathRange {
  readonly entries: readonly SessionEntry[];
  /** The first entry that may be summarised. */
  readonly start: number;
  /** Number of entries of the branch before these. */
  readonly offset: number;
  readonly keepRecentTokens: Tokens;
  readonly preset: OpenClawPreset;
  readonly tokensBefore: Tokens;
  readonly boundary: SessionEntry | undefined;
  /** Messages before the first entry. */
  readonly prelude: readonly AgentMessage[];
}

function prepared(range: PathRange): PreparedCompaction | undefined {
  const { entries, start, preset, boundary, prelude } = range;
  const cut = findCutPoint(entries, start, entries.length, range.keepRecentTokens, preset);
  const firstKeptEntryId = textOf(entries[cut.firstKept]?.id);
  if (!firstKeptEntryId) return undefined;
  const summarised = (from: number, to: number) =>
    messagesOf(
      entries.slice(from, to).filter((entry) => entry.type !== "compaction"),
      preset,
    );
  const historyEnd = cut.isSplitTurn ? cut.turnStart : cut.firstKept;
  const messages = [...prelude, ...summarised(start, historyEnd)];
  const turnPrefix = cut.isSplitTurn ? summarised(cut.turnStart, cut.firstKept) : [];
  const files = noFileOperations();
  if (boundary?.type === "compaction") addCarriedFiles(files, boundary, preset);
  for (const message of [...messages, ...turnPrefix]) addFileOperations(files, message, preset);
  return {
    firstKeptEntryId,
    firstKept: range.offset + cut.firstKept,
    isSplitTurn: cut.isSplitTurn,
    messages,
    turnPrefix,
    tokensBefore: range.tokensBefore,
    previousSummary: boundary?.type === "compaction" ? textOf(boundary.summary) : undefined,
    files,
  };
}
