import type { Tokens } from "@/lib/core/base/units";
import { KEPT_TOOL, PRUNE_MINIMUM, PRUNE_PROTECT, PRUNE_TURNS } from "../constants";

/** What clearing looks at in a message. */
export interface PrunableMessage<Part extends PrunablePart> {
  readonly role: string;
  readonly summary: boolean;
  /** Its tool calls, oldest first. */
  readonly parts: readonly Part[];
}

export interface PrunablePart {
  readonly tool: string;
  readonly completed: boolean;
  /** Whether its output was cleared before. */
  readonly cleared: boolean;
  /** Tokens of its output. */
  readonly tokens: Tokens;
}

export interface Pruned<Part> {
  readonly total: Tokens;
  readonly pruned: Tokens;
  /** The parts to clear, newest first. */
  readonly parts: readonly Part[];
  /** Whether there is enough to clear, so that the outputs are in fact cleared. */
  readonly applied: boolean;
}

/**
 * Which old tool outputs are cleared. The newest two turns keep theirs, and so do the newest 40,000 tokens of output before those. Everything
 * older is cleared, back to a summary or to an output that was cleared before. Source: README.md, "Clearing".
 */
export function prunedParts<Part extends PrunablePart>(
  messages: readonly PrunableMessage<Part>[],
  protect: Tokens = PRUNE_PROTECT,
  minimum: Tokens = PRUNE_MINIMUM,
): Pruned<Part> {
  const parts: Part[] = [];
  let [turns, total, pruned] = [0, 0, 0];
  const result = () => ({ total, pruned, parts, applied: pruned > minimum });
  for (const message of messages.toReversed()) {
    if (message.role === "user") turns += 1;
    if (turns < PRUNE_TURNS) continue;
    if (message.role === "assistant" && message.summary) return result();
    for (const part of message.parts.toReversed()) {
      if (!part.completed || part.tool === KEPT_TOOL) continue;
      if (part.cleared) return result();
      total += part.tokens;
      if (total <= protect) continue;
      pruned += part.tokens;
      parts.push(part);
    }
  }
  return result();
}
