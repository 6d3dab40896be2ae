import type { Message } from "@/lib/core/transcript/model";
import { RETAIN_SHARE } from "../constants";
import type { ClawdMessage } from "../messages/message";
import { retained } from "../summary/retain";

/** One of the program's messages: an index of ours, and what the retention rule looks at. */
interface Held extends ClawdMessage {
  readonly index: number;
}

/**
 * What the program has in memory while it writes a file, as far as its own compactions change it. A compaction writes its summary but not what it
 * keeps; that follows from its rule: the newest fifth without orphans. Source: README.md, "What stays".
 */
export class RecordedHistory {
  #held: Held[] = [];

  /** Takes the next message. A summary goes before what its compaction kept. */
  add(index: number, message: Message): void {
    const held = heldOf(index, message);
    if (message.origin === "summary") this.#held.unshift(held);
    else this.#held.push(held);
  }

  /** Indices of the messages that a compaction would keep now. */
  kept(): readonly number[] {
    // `retained` returns entries of the given list.
    const kept = retained(this.#held, RETAIN_SHARE) as readonly Held[];
    return kept.map((held) => held.index).sort((a, b) => a - b);
  }

  /** From now on only these messages are held. */
  compacted(kept: readonly number[]): void {
    const stays = new Set(kept);
    this.#held = this.#held.filter((held) => stays.has(held.index));
  }
}

/** A response may still get calls after it was added, so its calls are read only when it is compacted. */
function heldOf(index: number, { origin, role, blocks }: Message): Held {
  if (origin === "tool") return { index, role: "tool", tool_call_id: blocks[0]?.callId };
  return {
    index,
    role,
    get tool_calls() {
      return blocks.flatMap(({ kind, callId }) => (kind === "tool_call" ? [{ id: callId }] : []));
    },
  };
}
