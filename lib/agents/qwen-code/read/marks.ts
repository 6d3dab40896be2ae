import type { PartBlock } from "../blocks";
import { ACKNOWLEDGEMENT } from "../constants";

/**
 * A mark by which a block is found again in a snapshot: its kind, call, length, and a hash of both its ends. The text itself
 * is not held, so blocks that differ only in the middle of a long text are taken for one.
 */
export function markOf({ kind, callId, text }: Pick<PartBlock, "kind" | "callId" | "text">): string {
  return `${kind} ${callId ?? ""} ${text.length} ${hashOfEnds(text)}`;
}

/** UTF-16 units that are hashed at each end. */
const END_UNITS = 256;
const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** FNV-1a over the units of both ends. */
function hashOfEnds(text: string): number {
  let hash = BASIS;
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  };
  add(0, Math.min(text.length, END_UNITS));
  add(Math.max(END_UNITS, text.length - END_UNITS), text.length);
  return hash >>> 0;
}

/** Mark of what the model is made to say after a summary. */
export const ACKNOWLEDGEMENT_MARK = markOf({ kind: "text", text: ACKNOWLEDGEMENT });
