import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { KIND, ORIGIN, type SessionColumns } from "../columns/columns";
import { CONTENT_MEASURE } from "../columns/content";
import { CLEARED_TOKENS, NEVER } from "../columns/membership";
import { type InputChanges, inputChanges } from "./policy/input-settings";
import type { Settings } from "./policy/settings";
import type { SimulatedContext } from "./simulation/simulated-context";
import type { Trajectory } from "./simulation/trajectory";

/**
 * Size of the marker that Codex writes between head and tail of a truncated text, `…{N} tokens truncated…`. It has 23 bytes without the number; with
 * a number of up to five digits that is 7 tokens of four bytes. Source: openai/codex, core/src/truncate.rs at 31d1e4934.
 */
export const TRUNCATION_MARKER_TOKENS = 7;

/** Size of the reference that replaces a repeated text: a sentence of about 48 characters that locates the text. Our choice. */
export const REFERENCE_TOKENS = 12;

/** Changes items before they enter a simulated context, so that its policy sees the changed ones. */
export class InputRules {
  /** Size of every row as it enters. Repeated texts get the size of a reference only when they enter. */
  readonly sizes: Int32Array;
  /** First request with an item that enters with a changed size. */
  readonly #firstChange: RequestIndex;
  #hasActed = false;
  readonly #clearAfter: number | undefined;
  /** Results in the order of entering, and the number of them already considered for clearing. */
  readonly #results: readonly ItemIndex[];
  #considered = 0;
  /** Rows whose text another row repeats, in the order of entering, and the number of them that have entered. */
  readonly #repeats: readonly ItemIndex[];
  #entered = 0;
  /** By content, the item with the whole text. */
  readonly #holders = new Map<number, ItemIndex>();
  readonly #content: Int32Array;
  readonly #trajectory: Trajectory;

  /** @param tokens sizes as counted, scaled if a calibration is in force */
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

  /** True if the rules have changed the context at a request or before it. */
  departs(request: RequestIndex): boolean {
    return this.#hasActed || request >= this.#firstChange;
  }

  /**
   * Turns repeated texts that are about to enter with a request into references. Call it before they are counted.
   * @param sizes every row's size as it enters, with the policy's own entry rule applied; sizes of references are written into it
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

  /** Clears the results that are too old at a request. Call it after all items have entered. */
  clearOld(request: RequestIndex, context: SimulatedContext): void {
    if (this.#clearAfter === undefined) return;
    const { entered } = this.#trajectory;
    const limit = request - this.#clearAfter;
    for (; this.#considered < this.#results.length; this.#considered++) {
      const row = this.#results[this.#considered] ?? 0;
      if ((entered[row] ?? NEVER) > limit) break;
      if (context.clear(row, CLEARED_TOKENS, request)) this.#hasActed = true;
    }
  }
}

/** Returns the input rules of the settings; `undefined` if the inputs stay as recorded. */
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

/** Size of head, tail and the marker between them, if that is less than the whole. */
function truncated(size: Tokens, limit: Tokens | undefined): Tokens {
  return limit === undefined ? size : Math.min(size, limit + TRUNCATION_MARKER_TOKENS);
}

/** Results and attachments whose content occurs more than once. */
function repeatable(columns: SessionColumns, trajectory: Trajectory, content: Int32Array): readonly ItemIndex[] {
  const counts = new Map<number, number>();
  const candidates = Array.from(trajectory.items).filter(
    (row) =>
      (content[row] ?? 0) > 0 && (columns.kind[row] === KIND.tool_result || columns.origin[row] === ORIGIN.context),
  );
  for (const row of candidates) counts.set(content[row] ?? 0, (counts.get(content[row] ?? 0) ?? 0) + 1);
  return candidates.filter((row) => (counts.get(content[row] ?? 0) ?? 0) > 1);
}
