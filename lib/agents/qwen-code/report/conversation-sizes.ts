import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { isMember, tokensAt } from "@/lib/core/columns/membership";
import { messagesRow } from "@/lib/core/context/breakdown";
import type { BreakdownInput } from "@/lib/core/context/own-breakdown";

/**
 * The parts of the conversation that `current` bills under another category, from the measure `qwen-code.billed`. Source: README.md, "Context
 * report, current".
 */

/** Values of the measure. */
export const BILLED = {
  /** Billed as conversation. */
  CONVERSATION: 0,
  /** A reminder that the client wrote: startup context if it opens the conversation. */
  REMINDER: 1,
  /** A list of skills. */
  LISTING: 2,
  /** A skill's body, loaded by a call. */
  SKILL_BODY: 3,
  /** The model's answer that older versions put after their context. */
  CONTEXT_ANSWER: 4,
} as const;

const MEASURE = "qwen-code.billed";
const STARTUP = Object.keys(BILLED).length;

export interface ConversationSizes {
  /** Skill lists found in the conversation. */
  readonly listing: Tokens;
  /** Skill bodies that were loaded. */
  readonly bodies: Tokens;
  readonly startup: Tokens;
  /** The conversation, without parts that are billed elsewhere. */
  readonly conversation: Tokens;
}

/** The sizes at a request, from one walk over the context. */
export function conversationSizes(question: BreakdownInput): ConversationSizes {
  const { series, request, simulated } = question;
  const sums = sumsAt(question);
  const at = (code: number) => sums[code] ?? 0;
  const [listing, bodies, startup] = [at(BILLED.LISTING), at(BILLED.SKILL_BODY), at(STARTUP)];
  const estimate = at(BILLED.CONVERSATION) + at(BILLED.REMINDER) + at(BILLED.CONTEXT_ANSWER);
  // The parts of a simulated context are estimates already, and include what compactions added.
  const parts = messagesRow(series, request, true).tokens;
  return {
    listing,
    bodies,
    startup,
    conversation: simulated ? Math.max(0, parts - listing - bodies - startup) : estimate,
  };
}

/** Tokens for each value of the measure, and of the startup context. */
function sumsAt({ columns, tokens, series, request }: BreakdownInput): Int32Array {
  const billed = columns.measures[MEASURE];
  const prelude = preludeMessages(columns, billed);
  const sums = new Int32Array(STARTUP + 1);
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (!isMember(series, row, request)) continue;
    const code = billed?.[row] ?? BILLED.CONVERSATION;
    const opens = code !== BILLED.LISTING && (columns.message[row] ?? 0) < prelude;
    const place = opens ? STARTUP : code;
    sums[place] = (sums[place] ?? 0) + tokensAt(series, tokens, row, request);
  }
  return sums;
}

/** Number of messages at the front that came from the client: only reminders, or the pair that older versions wrote. */
function preludeMessages(columns: SessionColumns, billed: Int32Array | undefined): number {
  if (billed === undefined) return 0;
  const codes: number[][] = [[], []];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const message = columns.message[row] ?? 0;
    if (message > 1) break;
    codes[message]?.push(billed[row] ?? 0);
  }
  const [first = [], second = []] = codes;
  if (first.length > 0 && first.every((code) => code === BILLED.REMINDER || code === BILLED.LISTING)) return 1;
  return second[0] === BILLED.CONTEXT_ANSWER ? 2 : 0;
}
