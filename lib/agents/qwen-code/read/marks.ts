import { ACKNOWLEDGEMENT } from "../base/constants";
import type { PartBlock } from "./blocks";

/**
 * A mark for finding a block again in a snapshot: its kind, call, length, and a hash of both its ends. The text itself is not kept, so blocks that
 * differ only in the middle of a long text look the same.
 */
export function markOf({ kind, callId, text }: Pick<PartBlock, "kind" | "callId" | "text">): string {
  return `${kind} ${callId ?? ""} ${text.length} ${hashOfEnds(text)}`;
}

/** Number of UTF-16 units that are hashed at each end. */
const END_UNITS = 256;
const PRIME = 0x01000193;
const BASIS = 0x811c9dc5;

/** FNV-1a over the units at both ends. */
function hashOfEnds(text: string): number {
  let hash = BASIS;
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  };
  add(0, Math.min(text.length, END_UNITS));
  add(Math.max(END_UNITS, text.length - END_UNITS), text.length);
  return hash >>> 0;
}

/** Mark of the model's answer that the program generates after a summary. */
export const ACKNOWLEDGEMENT_MARK = markOf({ kind: "text", text: ACKNOWLEDGEMENT });
