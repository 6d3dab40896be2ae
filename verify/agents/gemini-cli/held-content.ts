import { MASKED_TAG, OUTPUT_CHARS } from "@/lib/agents/gemini-cli/base/constants";
import { responseText } from "@/lib/agents/gemini-cli/estimator";
import { type Content, type Part, partsOf, responseOf } from "@/lib/agents/gemini-cli/messages/content";
import { partsTokens } from "@/lib/agents/gemini-cli/messages/tokens";
import { maskedPart } from "@/lib/agents/gemini-cli/sent/masking";
import { truncatedOutput } from "@/lib/agents/gemini-cli/sent/truncate-output";
import { isObject, textOf } from "@/lib/agents/shared/json";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { joinedSpans, type Span } from "@/verify/support/cross-check";

const FOLDER = "/home/user/.gemini/tmp/project/tool-outputs";
export const savedPath = (tool: string) => `${FOLDER}/${tool}_1.txt`;
export const maskedPath = (tool: string, callId: string) => `${FOLDER}/session-00000000/${tool}_${callId}_abcdef.txt`;

/** A content of the exact history. */
export interface Held {
  readonly content: Content;
  readonly tokens: Tokens;
  /** Rows of each part; none for items that a compression added. */
  readonly rows: readonly (readonly ItemIndex[])[];
  readonly isInitial: boolean;
  /** Rows of its results whose size changed. The value is the excess of the numbers' size: the size that the second truncation removed. */
  readonly changed: ReadonlyMap<ItemIndex, Tokens>;
}

export interface Size {
  readonly tokens: Tokens;
  readonly span: Span;
}

export const NO_SIZE: Size = { tokens: 0, span: [0, 0] };

export function sizeOf(held: readonly Held[]): Size {
  const rounding = sumOf(held.map(({ changed }) => (changed.size === 0 ? 0 : changed.size + 1)));
  const twiceCut = sumOf(held.flatMap(({ changed }) => [...changed.values()]));
  return { tokens: sumOf(held.map(({ tokens }) => tokens)), span: [twiceCut - rounding, twiceCut + rounding] };
}

export function joinedSizes(sizes: readonly Size[]): Size {
  return { tokens: sumOf(sizes.map(({ tokens }) => tokens)), span: joinedSpans(sizes.map(({ span }) => span)) };
}

export function addedContent(content: Content): Held {
  return { content, tokens: partsTokens(partsOf(content)), rows: [], isInitial: false, changed: new Map() };
}

/** The content with new sizes for whole parts, and everything else unchanged. */
export function cutOnce(held: Held, content: Content): Content {
  const next = partsOf(content);
  const parts = partsOf(held.content).map((part, at) =>
    held.changed.has(held.rows[at]?.[0] ?? -1) ? part : (next[at] ?? part),
  );
  return { ...content, parts };
}

/** For results that were saved to a file a second time: their sizes before that. */
const beforeSecondCut = new WeakMap<Part, Part>();

function isMasked(part: Part): boolean {
  return responseText(responseOf(part)?.response)?.startsWith(MASKED_TAG) === true;
}

/** Reduction of the preview when a result is saved a second time. */
function maskedAnew(part: Part, masked: Part): Tokens {
  const once = beforeSecondCut.get(part);
  return once === undefined ? 0 : partsTokens([maskedPart(once, maskedPath)]) - partsTokens([masked]);
}

/** The content with other parts in the same places. */
export function changedContent(held: Held, content: Content): Held {
  const [before, after] = [partsOf(held.content), partsOf(content)];
  const changed = new Map(held.changed);
  before.forEach((part, at) => {
    const row = held.rows[at]?.[0];
    const next = after[at];
    if (part === next || row === undefined || next === undefined) return;
    const cutBefore = held.changed.get(row);
    // A result that was saved to a file and is then masked stays unchanged.
    if (isMasked(part)) return;
    if (isMasked(next)) changed.set(row, maskedAnew(part, next));
    else {
      changed.set(row, cutBefore === undefined ? 0 : cutBefore + partsTokens([part]) - partsTokens([next]));
      if (cutBefore !== undefined) beforeSecondCut.set(next, beforeSecondCut.get(part) ?? part);
    }
  });
  return changed.size === 0 ? held : { ...held, content, tokens: partsTokens(after), changed };
}

export function withoutParts(held: Held, isDropped: (row: ItemIndex) => boolean): Held {
  const stays = held.rows.map((rows) => !rows.some(isDropped));
  const parts = partsOf(held.content).filter((_, at) => stays[at]);
  const rows = held.rows.filter((_, at) => stays[at]);
  return { ...held, content: { ...held.content, parts }, rows, tokens: partsTokens(parts) };
}

/** A part as it enters: of an output above 40,000 characters only the head and tail. */
export function enteringPart(part: Part): Part {
  const response = responseOf(part);
  const given = isObject(response?.response) ? (response.response.output ?? response.response.error) : undefined;
  if (response === undefined || textOf(given).length <= OUTPUT_CHARS) return part;
  const output = truncatedOutput(responseText(response.response) ?? "", savedPath(textOf(response.name)), OUTPUT_CHARS);
  return { ...part, functionResponse: { ...response, response: { output } } };
}
