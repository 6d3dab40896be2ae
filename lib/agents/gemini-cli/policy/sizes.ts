import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, ROLE, type SessionColumns } from "@/lib/core/columns/columns";
import { OUTPUT_CHARS } from "../base/constants";
import type { GeminiMeasure } from "./measures";

/** Length of the JSON around a text that is a content of its own. */
export const WRAPPER_CHARS = JSON.stringify({ role: "user", parts: [{ text: "" }] }).length;

/** Sizes of every row by Gemini CLI's own rule, whole and with its output cut; `text` and `cutText` as in the measures. */
export interface Sizes {
  readonly json: Int32Array;
  readonly cutJson: Int32Array;
  readonly text: Float64Array;
  readonly cutText: Float64Array;
  readonly tokens: Int32Array;
  readonly cut: Int32Array;
  readonly masked: Int32Array;
  readonly maskedText: Int32Array;
  readonly maskedJson: Int32Array;
  readonly cutMasked: Int32Array;
  /** `TRAIT` of every row. The walk over a history reads only this column for most rows. */
  readonly traits: Uint8Array;
}

export const TRAIT = { MODEL: 1, CALL: 2, RESULT: 4 } as const;

function traitsOf({ kind, role }: SessionColumns): Uint8Array {
  return Uint8Array.from(kind, (code, row) => {
    const model = role[row] === ROLE.assistant ? TRAIT.MODEL : 0;
    return model | (code === KIND.tool_call ? TRAIT.CALL : 0) | (code === KIND.tool_result ? TRAIT.RESULT : 0);
  });
}

const sizes = new WeakMap<Int32Array, Sizes>();

/** The sizes of a session, computed once: from the measure if there is one, otherwise from the characters. */
export function sizesOf(columns: SessionColumns): Sizes {
  const { chars, length } = columns;
  const measure = (name: GeminiMeasure) => columns.measures[name];
  const key = measure("gemini-cli.json") ?? chars;
  const known = sizes.get(key);
  if (known !== undefined) return known;
  const found = {
    json: measure("gemini-cli.json") ?? chars.map((size) => WRAPPER_CHARS + size),
    cutJson: measure("gemini-cli.cutJson") ?? chars.map((size) => WRAPPER_CHARS + size),
    text: Float64Array.from(measure("gemini-cli.text") ?? Float64Array.from(chars, (size) => size / 4)),
    cutText: Float64Array.from(
      measure("gemini-cli.cutText") ?? Float64Array.from(chars, (size) => Math.min(size, OUTPUT_CHARS) / 4),
    ),
    tokens: measure("gemini-cli.tokens") ?? new Int32Array(length),
    cut: measure("gemini-cli.cut") ?? new Int32Array(length),
    masked: measure("gemini-cli.masked") ?? new Int32Array(length),
    maskedText: measure("gemini-cli.maskedText") ?? new Int32Array(length),
    maskedJson: measure("gemini-cli.maskedJson") ?? new Int32Array(length),
    cutMasked: measure("gemini-cli.cutMasked") ?? new Int32Array(length),
    traits: traitsOf(columns),
  };
  sizes.set(key, found);
  return found;
}

/** An item's size after a change that Gemini CLI's own rule has measured: exact under that rule, in proportion under another. */
export function resizedTo(columns: SessionColumns, item: ItemIndex, tokens: Tokens, measure: GeminiMeasure): Tokens {
  const chars = columns.chars[item] ?? 0;
  const whole = columns.measures["gemini-cli.tokens"]?.[item] ?? chars;
  const after = columns.measures[measure]?.[item] ?? Math.min(chars, OUTPUT_CHARS);
  return whole > 0 ? Math.round((tokens * after) / whole) : tokens;
}
