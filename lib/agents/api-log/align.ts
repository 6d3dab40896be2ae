import type { Message } from "@/lib/core/transcript/model";

/** Fields by which a message is recognised in a later request. */
export interface Item {
  readonly key: string;
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  /** Id of the call that it answers. */
  readonly callId: string | undefined;
  readonly chars: number;
}

/** Relation of a request's messages to those of the previous request. */
export interface Alignment {
  /** For every message of the request: the index of the earlier message that it repeats, or −1 if it is new. */
  readonly from: readonly number[];
  /** Earlier messages missing from the request, in order. */
  readonly missing: readonly number[];
  /** Number of earlier messages at the front that are all still there. */
  readonly prefix: number;
  /** Earlier results that the request has only as a placeholder. */
  readonly cleared: readonly number[];
}

/** Maximum length of the placeholder for a cleared result. */
const PLACEHOLDER_CHARS = 200;

/**
 * Aligns a request with the messages that were live before it: first their common beginning, then equal messages in the same order.
 * @param response index of the live response, which the next request repeats even if its wording differs; −1 if there is none
 */
export function align(live: readonly Item[], request: readonly Item[], response: number): Alignment {
  const from: number[] = [];
  const cleared: number[] = [];
  const match = (at: number, index: number): boolean => {
    const [old, next] = [live[at], request[index]];
    if (old === undefined || next === undefined) return false;
    if (isCleared(old, next)) cleared.push(at);
    else if (old.key !== next.key && !(at === response && next.role === "assistant")) return false;
    from.push(at);
    return true;
  };
  let prefix = 0;
  while (prefix < request.length && match(prefix, prefix)) prefix += 1;
  const indices = indicesByKey(live, prefix);
  let last = prefix - 1;
  for (let index = prefix; index < request.length; index++) {
    const key = request[index]?.key ?? "";
    const at = indices.get(key)?.find((at) => at > last) ?? nextResult(live, request[index], last);
    if (at === undefined || !match(at, index)) from.push(-1);
    else last = at;
  }
  const repeated = new Set(from);
  return { from, prefix, cleared, missing: live.map((_, at) => at).filter((at) => !repeated.has(at)) };
}

/** True if a request has a short replacement for a call's result: the agent cleared it. */
function isCleared(old: Item, next: Item): boolean {
  if (old.callId === undefined || old.callId !== next.callId || old.key === next.key) return false;
  return next.chars <= PLACEHOLDER_CHARS && next.chars < old.chars;
}

function nextResult(live: readonly Item[], next: Item | undefined, after: number): number | undefined {
  if (next?.callId === undefined) return undefined;
  const at = live.findIndex((old, index) => index > after && old.callId === next.callId);
  return at < 0 ? undefined : at;
}

function indicesByKey(live: readonly Item[], from: number): ReadonlyMap<string, readonly number[]> {
  const indices = new Map<string, number[]>();
  for (const [at, { key }] of live.entries()) {
    if (at < from) continue;
    const known = indices.get(key);
    if (known === undefined) indices.set(key, [at]);
    else known.push(at);
  }
  return indices;
}
