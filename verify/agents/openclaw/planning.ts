import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { messagesTokens, planningTokens } from "@/lib/agents/openclaw/messages/estimate";
import { type AgentMessage, currentResultIdOf, isFailed, toolCallsOf } from "@/lib/agents/openclaw/messages/message";
import { repairFrames } from "@/lib/agents/openclaw/messages/pairing-frames";
import { textOf } from "@/lib/agents/openclaw/messages/value";
import {
  cutAt,
  DEFAULT_PARTS,
  endsWithin,
  MIN_MESSAGES_FOR_SPLIT,
  OVERSIZED_SHARE,
  SAFETY_MARGIN,
  usableParts,
} from "@/lib/agents/openclaw/policy/chunk-sizes";
import type { PrunedHistory } from "@/lib/agents/openclaw/summary/chunks";
import { noteOfSize } from "@/lib/agents/openclaw/summary/summary-stages";
import { sumOf } from "@/lib/core/base/numbers";
import type { Share, Tokens } from "@/lib/core/base/units";

/**
 * Plan of summaries in release 2026.9.6: groups that keep calls and their results together. Source: README.md, "Summaries"; openclaw@2026.9.6,
 * agents/compaction-planning.
 */

const PRESET: OpenClawPreset = "current";

/** Messages that are never separated, with their tokens. */
interface Group {
  readonly messages: readonly AgentMessage[];
  readonly tokens: Tokens;
}

/** A group ends where no call is open. Calls of a failed response are never open. */
function groupsOf(messages: readonly AgentMessage[]): readonly Group[] {
  const groups: Group[] = [];
  let open: string[] = [];
  let members: AgentMessage[] = [];
  const close = () => {
    if (members.length === 0) return;
    groups.push({ messages: members, tokens: sumOf(members.map((message) => planningTokens(message, PRESET))) });
    members = [];
  };
  for (const message of messages) {
    members.push(message);
    open = openAfter(open, message);
    if (open.length === 0) close();
  }
  close();
  return groups;
}

/** The calls that are still open after a message. A result without an id closes them all. */
function openAfter(open: string[], message: AgentMessage): string[] {
  if (message.role === "assistant") return isFailed(message) ? [] : toolCallsOf(message).map((call) => call.id);
  if (message.role !== "toolResult") return open;
  const id = currentResultIdOf(message);
  if (id === undefined) return [];
  const at = open.indexOf(id);
  return at < 0 ? open : open.toSpliced(at, 1);
}

/** Groups in chunks within a maximum; if the number of chunks is limited, the last takes the rest. */
function chunkGroups(messages: readonly AgentMessage[], most: Tokens, limit?: number): readonly AgentMessage[][] {
  const groups = groupsOf(messages);
  const ends = endsWithin(
    groups.map((group) => group.tokens),
    most,
    limit,
  );
  return cutAt(groups, ends).map((chunk) => chunk.flatMap((group) => group.messages));
}

/** The chunks of one summary, call by call. Messages that are never summarised are removed first. */
export function summaryChunks(messages: readonly AgentMessage[], maxChunkTokens: Tokens): readonly AgentMessage[][] {
  const safe = messages.filter((message) => !(message.role === "custom" && message.customType === RUNTIME_CONTEXT));
  return chunkGroups(safe, Math.max(1, Math.floor(maxChunkTokens / SAFETY_MARGIN)));
}

const RUNTIME_CONTEXT = "openclaw.runtime-context";

/** The parts in which a summary is made; none if one call is enough. */
export function stageSplit(
  messages: readonly AgentMessage[],
  maxChunkTokens: Tokens,
  options: { readonly parts?: number | undefined; readonly minMessagesForSplit?: number | undefined } = {},
): readonly AgentMessage[][] | undefined {
  const parts = usableParts(options.parts ?? DEFAULT_PARTS, messages.length);
  const least = Math.max(2, options.minMessagesForSplit ?? MIN_MESSAGES_FOR_SPLIT);
  if (parts <= 1 || messages.length < least) return undefined;
  const total = messagesTokens(messages, PRESET);
  if (total <= maxChunkTokens) return undefined;
  const chunks = chunkGroups(messages, total / parts, parts);
  return chunks.length > 1 ? chunks : undefined;
}

/** The messages that can be summarised if not all can, and notes on the rest. */
interface OversizedPlan {
  readonly messages: readonly AgentMessage[];
  readonly notes: readonly string[];
}

/** Removes oversized messages; with an oversized call or result, also all calls and results of its group. */
export function withoutOversized(messages: readonly AgentMessage[], window: Tokens): OversizedPlan {
  const isBig = (message: AgentMessage) => planningTokens(message, PRESET) * SAFETY_MARGIN > window * OVERSIZED_SHARE;
  const kept: AgentMessage[] = [];
  const notes: string[] = [];
  for (const group of groupsOf(messages)) {
    const big = group.messages.filter(isBig);
    notes.push(...big.map((message) => noteOfSize(textOf(message.role) ?? "", planningTokens(message, PRESET))));
    const parted = big.some(isCallOrResult);
    kept.push(...group.messages.filter((message) => !isBig(message) && !(parted && isCallOrResult(message))));
  }
  return { messages: kept, notes };
}

function isCallOrResult(message: AgentMessage): boolean {
  return message.role === "assistant" || message.role === "toolResult";
}

/** Drops the oldest part until the rest fits, and then results without their call. Everything keeps its original order. */
export function pruneGroupedHistory(
  messages: readonly AgentMessage[],
  window: Tokens,
  share: Share,
  parts = DEFAULT_PARTS,
): PrunedHistory {
  const budget = Math.max(1, Math.floor(window * share));
  const wanted = usableParts(parts, messages.length);
  const dropped: AgentMessage[] = [];
  let kept = messages;
  let droppedChunks = 0;
  for (;;) {
    const chunks = stageSplit(kept, budget, { parts: wanted, minMessagesForSplit: 2 });
    const [oldest, ...rest] = chunks ?? [];
    if (oldest === undefined) break;
    const repaired = repairFrames(rest.flat());
    droppedChunks += 1;
    dropped.push(...oldest, ...repaired.discarded);
    kept = repaired.messages;
  }
  const position = new Map(messages.map((message, index) => [message, index]));
  const at = (message: AgentMessage) => position.get(message) ?? messages.length;
  dropped.sort((a, b) => at(a) - at(b));
  return {
    messages: kept,
    dropped,
    droppedChunks,
    droppedTokens: messagesTokens(dropped, PRESET),
    keptTokens: messagesTokens(kept, PRESET),
    budget,
  };
}
