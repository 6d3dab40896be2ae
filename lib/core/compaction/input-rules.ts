import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { KIND, ORIGIN, type SessionColumns } from "../columns/columns";
import { CONTENT_MEASURE } from "../columns/content";
import { CLEARED_TOKENS, NEVER } from "../columns/membership";
import { type InputChanges, inputChanges } from "./input-settings";
import type { Settings } from "./settings";
import type { SimulatedContext } from "./simulated-context";
import type { Trajectory } from "./trajectory";

/**
 * What Codex writes between head and tail of a cut text, `…{N} tokens truncated…`. It has 23 bytes beside the number, which
 * make 7 tokens of four bytes with a number of up to five digits. Source: openai/codex, core/src/truncate.rs at 31d1e4934.
 */
export const TRUNCATION_MARKER_TOKENS = 7;

/** What stands in the place of a repetition: a sentence of some 48 characters that says where the content stands. This rule is ours. */
export const REFERENCE_TOKENS = 12;

/** The changes that are made to what goes into a simulated context before its policy sees it. */
export class InputRules {
  /** Every row's size as it enters; references are made when their turn comes. */
  readonly sizes: Int32Array;
  /** First request with which something enters in another size than it has. */
  readonly #firstChange: RequestIndex;
  #hasActed = false;
  readonly #clearAfter: number | undefined;
  /** Results in the order in which they enter, and how many of them have grown old. */
  readonly #results: readonly ItemIndex[];
  #old = 0;
  /** Rows that have an equal before them, in order, and how many have entered. */
  readonly #repeats: readonly ItemIndex[];
  #entered = 0;
  /** The item that holds a content whole. */
  readonly #holders = new Map<number, ItemIndex>();
  readonly #content: Int32Array;
  readonly #trajectory: Trajectory;

  /** @param tokens sizes as counted, calibrated where that is in force */
  constructor(columns: SessionColumns, tokens: Int32Array, trajectory: Trajectory, changes: InputChanges) {
    this.sizes = changedSizes(columns, tokens, changes);
    this.#trajectory = trajectory;
    this.#firstChange = this.sizes.reduce(
      (first, size, row) => (size === tokens[row] ? first : Math.min(first, trajectory.entered[row] ?? NEVER)),
      NEVER,
    );
    this.#clearAfter = changes.clearAfter;
    const isResult = (row: ItemIndex) => columns.kind[row] === KIND.tool_result;
    this.#results = changes.clearAfter === undefined ? [] : Array.from(trajectory.items.filter(isResult));
    this.#content = columns.measures[CONTENT_MEASURE] ?? new Int32Array(columns.length);
    this.#repeats = changes.references ? repeatable(columns, trajectory, this.#content) : [];
  }

  /** Whether the context is another one than without the rules, at a request or before it. */
  departs(request: RequestIndex): boolean {
    return this.#hasActed || request >= this.#firstChange;
  }

  /**
   * Makes references of what is about to enter with a request. To be called before it is counted.
   * @param sizes every row's size as it enters, the policy's own entry rule applied; references are written into it
   */
  entering(request: RequestIndex, context: SimulatedContext, sizes: Int32Array): void {
    const { entered } = this.#trajectory;
    for (; this.#entered < this.#repeats.length; this.#entered++) {
      const row = this.#repeats[this.#entered] ?? 0;
      if ((entered[row] ?? NEVER) > request) break;
      const content = this.#content[row] ?? 0;
      const holder = this.#holders.get(content);
      if (holder === undefined || !context.isWhole(holder)) this.#holders.set(content, row);
      else if ((sizes[row] ?? 0) > REFERENCE_TOKENS) {
        this.#hasActed = true;
        sizes[row] = REFERENCE_TOKENS;
        context.presize(row, REFERENCE_TOKENS);
      }
    }
  }

  /** Clears the results that have become too old for a request. To be called when everything has entered. */
  clearOld(request: RequestIndex, context: SimulatedContext): void {
    if (this.#clearAfter === undefined) return;
    const { entered } = this.#trajectory;
    const limit = request - this.#clearAfter;
    for (; this.#old < this.#results.length; this.#old++) {
      const row = this.#results[this.#old] ?? 0;
      if ((entered[row] ?? NEVER) > limit) break;
      if (context.clear(row, CLEARED_TOKENS, request)) this.#hasActed = true;
    }
  }
}

/** The rules that settings ask for; `undefined` where the inputs stay as recorded. */
export function inputRules(
  columns: SessionColumns,
  tokens: Int32Array,
  trajectory: Trajectory,
  settings: Settings,
): InputRules | undefined {
  const changes = inputChanges(columns, settings);
  return changes === undefined ? undefined : new InputRules(columns, tokens, trajectory, changes);
}

function changedSizes(columns: SessionColumns, tokens: Int32Array, changes: InputChanges): Int32Array {
  const { kind, tool } = columns;
  return tokens.map((size, row) => {
    if (changes.isWithout(tool[row] ?? -1)) return 0;
    return kind[row] === KIND.tool_result ? truncated(size, changes.truncateTo) : size;
  });
}

/** The size of head and tail with the marker between them, where that is less than the whole. */
function truncated(size: Tokens, limit: Tokens | undefined): Tokens {
  return limit === undefined ? size : Math.min(size, limit + TRUNCATION_MARKER_TOKENS);
}

/** Results and attachments whose content comes more than once. */
function repeatable(columns: SessionColumns, trajectory: Trajectory, content: Int32Array): readonly ItemIndex[] {
  const counts = new Map<number, number>();
  const candidates = Array.from(trajectory.items).filter(
    (row) =>
      (content[row] ?? 0) > 0 && (columns.kind[row] === KIND.tool_result || columns.origin[row] === ORIGIN.context),
  );
  for (const row of candidates) counts.set(content[row] ?? 0, (counts.get(content[row] ?? 0) ?? 0) + 1);
  return candidates.filter((row) => (counts.get(content[row] ?? 0) ?? 0) > 1);
}
