import { bytesOverFour } from "../base/characters";
import type { Tokens } from "../base/units";
import type { Message, TextMeasure } from "../transcript/model";
import { IMAGE_TOKENS } from "./estimator";

/** Content of a block, loaded for counting: its text and its record. */
export interface BlockContent {
  readonly text: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Token rule that needs the text. It is called once per message, so that an agent's rule for whole messages can divide its result among the blocks by
 * largest remainder. The parts then sum exactly to the total.
 */
export interface ItemEstimator {
  readonly id: string;
  /** Tokens of plain text without per-message constants, as `count` prints them. */
  readonly text: (text: string) => Tokens;
  /**
   * Tokens of one message in the rule's own format (`count --jsonl` with `{"message": …}`). Absent if the rule has no messages. Returns `undefined`
   * for a value that is not a message of that format.
   */
  readonly message?: (message: unknown) => Tokens | undefined;
  /**
   * Tokens of a message's blocks, in order.
   * @param format format id of the file, for an agent's rule that measures its own records
   */
  readonly blocks: (message: Message, contents: readonly BlockContent[], format: string) => readonly Tokens[];
}

/**
 * Rule that counts every block's text separately. An image costs `IMAGE_TOKENS`; its data costs nothing. A text that the file holds only encrypted
 * cannot be counted, so it costs a quarter of its measured bytes.
 */
export function textEstimator(id: string, count: (text: string) => Tokens): ItemEstimator {
  return {
    id,
    text: count,
    blocks: (message, contents) =>
      message.blocks.map((block, index) =>
        block.kind === "image" ? IMAGE_TOKENS : readableTokens(block.text, textAt(contents, index), count),
      ),
  };
}

/** Returns the text of a message's block; empty if none was loaded. */
export function textAt(contents: readonly BlockContent[], index: number): string {
  return contents[index]?.text ?? "";
}

/** Counts a text. A text that is shorter than its measure is only the readable part of a hidden one. */
function readableTokens(measure: TextMeasure, text: string, count: (text: string) => Tokens): Tokens {
  return text.length < measure.chars ? bytesOverFour(measure.bytes) : count(text);
}

/** Cost of one message in a rule's own division, and the blocks that it carries. */
export interface CarriedTokens {
  readonly tokens: Tokens;
  readonly blocks: readonly number[];
}

/**
 * Tokens of a message's blocks under a rule with its own division into messages: the cost of each of the rule's messages is divided among the blocks
 * that it carries. A block that no message carries costs nothing.
 * @param weights of every block of the message, at least 0
 */
export function sharedOut(weights: readonly number[], messages: readonly CarriedTokens[]): number[] {
  const shares = weights.map(() => 0);
  for (const { tokens, blocks } of messages) {
    const parts = apportion(
      tokens,
      blocks.map((index) => weights[index] ?? 0),
    );
    for (const [at, index] of blocks.entries()) shares[index] = parts[at] ?? 0;
  }
  return shares;
}

/** Up to this many weights, a linear search finds the largest remainders sooner than sorting. */
const FEW = 32;

/** Shared buffer for the remainders of few weights, since a recording divides totals at every request. */
const FEW_REMAINDERS = new Float64Array(FEW);

/**
 * Divides an integer by weights, by largest remainder: the parts are integers and sum to `total`. If all weights are 0, the last part takes
 * everything.
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  const parts = weights.slice();
  apportionWithin(total, parts, 0, parts.length);
  return parts;
}

/** Divides a total over the range of a list from `from` up to, but not including, `to`. The weights in the list become the parts. */
export function apportionWithin(total: number, parts: number[], from: number, to: number): void {
  let sum = 0;
  for (let at = from; at < to; at++) sum += parts[at] ?? 0;
  if (sum <= 0) {
    for (let at = from; at < to; at++) parts[at] = at === to - 1 ? total : 0;
    return;
  }
  const count = to - from;
  // The remainders are not divided by the sum: for integer weights they stay exact, and equal ones compare as equal.
  const remainders = count > FEW ? new Float64Array(count) : FEW_REMAINDERS.subarray(0, count);
  let given = 0;
  for (let at = 0; at < count; at++) {
    const weighted = total * (parts[from + at] ?? 0);
    const part = Math.floor(weighted / sum);
    parts[from + at] = part;
    remainders[at] = weighted - part * sum;
    given += part;
  }
  const left = Math.min(Math.ceil(total - given), count);
  const chosen = count > FEW && left > 0 ? byRemainder(remainders) : undefined;
  for (let round = 0; round < left; round++) {
    const at = chosen?.[round] ?? indexOfLargest(remainders);
    parts[from + at] = (parts[from + at] ?? 0) + 1;
    remainders[at] = Number.NEGATIVE_INFINITY;
  }
}

function byRemainder(remainders: Float64Array): readonly number[] {
  return [...remainders.keys()].sort((a, b) => (remainders[b] ?? 0) - (remainders[a] ?? 0));
}

/** Index of the largest value; the first of several equal ones. */
function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  return best;
}
