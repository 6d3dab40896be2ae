import type { Tokens } from "@/lib/core/base/units";
import { MISSING_RESULT } from "../messages/message";
import { CHARS_PER_TOKEN } from "./sizes";

/**
 * A message of release 2026.9.6 for plans from columns: its size, and its links between calls and results. `verify/agents/openclaw/planning.ts` and
 * `messages/pairing-frames.ts` hold the same rules over messages. Browser-safe. Source: README.md, "Summaries".
 */
export interface PlannedMessage {
  readonly tokens: Tokens;
  /** For a response: its calls, each with a number of its own. */
  readonly calls?: readonly number[] | undefined;
  /** For a response: true if it failed, so that its calls were never run and wait for nothing. */
  readonly isFailed?: boolean | undefined;
  /** For a result: the call that it answers, −1 if unknown. */
  readonly answers?: number | undefined;
}

/** The messages in groups that are never separated: a group ends where no call is open. */
export function groupsOf(messages: readonly PlannedMessage[]): readonly (readonly PlannedMessage[])[] {
  const groups: PlannedMessage[][] = [];
  let open = new Set<number>();
  let isOpen = false;
  for (const message of messages) {
    const group = isOpen ? groups.at(-1) : undefined;
    if (group === undefined) groups.push([message]);
    else group.push(message);
    open = openAfter(open, message);
    isOpen = open.size > 0;
  }
  return groups;
}

/** The calls that are still open after a message. A result of no known call closes them all. */
function openAfter(open: Set<number>, { calls, isFailed, answers }: PlannedMessage): Set<number> {
  if (calls !== undefined) return new Set(isFailed === true ? [] : calls);
  if (answers === undefined) return open;
  if (answers < 0) return new Set();
  open.delete(answers);
  return open;
}

/** A response with calls, and the messages up to the next such response. */
interface Frame {
  readonly response: PlannedMessage;
  readonly calls: readonly number[];
  readonly following: PlannedMessage[];
}

interface RepairedMessages {
  readonly messages: readonly PlannedMessage[];
  /** Omitted results, in order. */
  readonly discarded: readonly PlannedMessage[];
}

/** Every call with its result after it, a stand-in if that is missing, and no other results. */
export function repaired(messages: readonly PlannedMessage[]): RepairedMessages {
  const before: PlannedMessage[] = [];
  const frames: Frame[] = [];
  for (const message of messages) {
    const { calls = [] } = message;
    if (calls.length > 0) frames.push({ response: message, calls, following: [] });
    else (frames.at(-1)?.following ?? before).push(message);
  }
  const results = resultsOf(frames);
  const claimed = new Set(results.values());
  return {
    messages: [...before.filter(isNoResult), ...frames.flatMap((frame) => repairedFrame(frame, results))],
    discarded: messages.filter((message) => !isNoResult(message) && !claimed.has(message)),
  };
}

/** The result of every call: the first after it up to the next response with calls, else the first that comes later. */
function resultsOf(frames: readonly Frame[]): ReadonlyMap<number, PlannedMessage> {
  const results = new Map<number, PlannedMessage>();
  const claim = (message: PlannedMessage, called: ReadonlySet<number>) => {
    const { answers = -1 } = message;
    if (called.has(answers) && !results.has(answers)) results.set(answers, message);
  };
  for (const { calls, following } of frames) for (const message of following) claim(message, new Set(calls));
  const called = new Set<number>();
  for (const { calls, following } of frames) {
    for (const call of calls) called.add(call);
    for (const message of following) claim(message, called);
  }
  return results;
}

/** Size of the stand-in for a missing result. */
const STAND_IN_TOKENS: Tokens = Math.ceil(MISSING_RESULT.length / CHARS_PER_TOKEN);

function repairedFrame({ response, calls, following }: Frame, results: ReadonlyMap<number, PlannedMessage>) {
  const answers = calls.flatMap((call): readonly PlannedMessage[] => {
    const result = results.get(call);
    if (result !== undefined) return [result];
    return response.isFailed === true ? [] : [{ tokens: STAND_IN_TOKENS, answers: call }];
  });
  return [response, ...answers, ...following.filter(isNoResult)];
}

function isNoResult({ answers }: PlannedMessage): boolean {
  return answers === undefined;
}
