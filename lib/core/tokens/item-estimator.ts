import { bytesOverFour } from "../base/characters";
import type { Tokens } from "../base/units";
import type { Message, TextMeasure } from "../transcript/model";
import { IMAGE_TOKENS } from "./estimator";

/** A block's content as loaded for counting: its text, and the record that it is in. */
export interface BlockContent {
  readonly text: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * A token rule that needs the text. It is asked once per message, so that an agent's rule that measures whole messages can do so and divide the
 * result among the blocks (by largest remainder: sums hold and the total is exact).
 */
export interface ItemEstimator {
  readonly id: string;
  /** Tokens of a bare text, without per-message constants: what `count` prints. */
  readonly text: (text: string) => Tokens;
  /**
   * Tokens of one message in the rule's own shape (`count --jsonl` with `{"message": …}`); absent where the rule knows no messages. `undefined` for
   * what is not a message of that shape.
   */
  readonly message?: (message: unknown) => Tokens | undefined;
  /**
   * Tokens of a message's blocks, in their order.
   * @param format format id of the file, so that an agent's own rule can measure its own records as they are
   */
  readonly blocks: (message: Message, contents: readonly BlockContent[], format: string) => readonly Tokens[];
}

/**
 * A rule that counts every block's text by itself. An image costs `IMAGE_TOKENS`, its payload nothing. A text that the file holds only encrypted
 * cannot be counted: a quarter of its measured bytes stands for it.
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

/** The text of a message's block; empty where none was loaded. */
export function textAt(contents: readonly BlockContent[], index: number): string {
  return contents[index]?.text ?? "";
}

/** A text that is shorter than its measure is only the readable part of a hidden one. */
function readableTokens(measure: TextMeasure, text: string, count: (text: string) => Tokens): Tokens {
  return text.length < measure.chars ? bytesOverFour(measure.bytes) : count(text);
}

/** What one message in a rule's own division costs, and which of our blocks it carries. */
export interface CarriedTokens {
  readonly tokens: Tokens;
  readonly blocks: readonly number[];
}

/**
 * Tokens of a message's blocks under a rule that divides messages in its own way: the cost of each of the rule's messages is divided among the blocks
 * that it carries. A block that none carries costs nothing.
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

/** Up to this many weights, the largest remainders are found sooner by looking than by sorting. */
const FEW = 32;

/** For the remainders of few weights: a recording is shared out at every one of its requests. */
const FEW_REMAINDERS = new Float64Array(FEW);

/**
 * Divides a whole number by weights, by largest remainder: the parts are integers and sum to `total`. Without any weight, the last part takes it all.
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  const parts = weights.slice();
  apportionWithin(total, parts, 0, parts.length);
  return parts;
}

/** The same over a stretch of a list, `to` excluded: its weights become the parts. */
export function apportionWithin(total: number, parts: number[], from: number, to: number): void {
  let sum = 0;
  for (let at = from; at < to; at++) sum += parts[at] ?? 0;
  if (sum <= 0) {
    for (let at = from; at < to; at++) parts[at] = at === to - 1 ? total : 0;
    return;
  }
  const count = to - from;
  // The remainders are not divided by the sum: for whole weights they are then exact, and equal ones are equal.
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

/** The first of them, where several are equal. */
function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if ((values[at] ?? 0) > (values[best] ?? 0)) best = at;
  return best;
}
