import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, Tokens } from "@/lib/core/base/units";
import {
  chunkRatioOf,
  cutAt,
  hasMuchNewContent,
  isOversizedSize,
  MIN_MESSAGES_FOR_SPLIT,
  maximumEnds,
  pruneSizes,
  shareEnds,
} from "./chunk-sizes";
import type { Summarised } from "./summary-calls";

/**
 * Input for the size of a summary whose calls all fail in release 2026.2.1: a note replaces each call's answer. Browser-safe; the same rules as
 * `summary/summary-prompt.ts` and `summary/summary-stages.ts`. Source: README.md, "Summaries".
 */
interface FailedSummaryInput extends Summarised<readonly Tokens[]> {
  /** Length of the previous summary; absent if there is none. */
  readonly previousSummary: Chars | undefined;
}

/** The notes, and the tokens sent without result. */
export interface FailedSummary {
  readonly chars: Chars;
  readonly calls: number;
  readonly tokens: Tokens;
}

const TURN_CONTEXT = "\n\n---\n\n**Turn Context (split turn):**\n\n";
const NO_HISTORY = "No prior history.";

export function failedSummary(input: FailedSummaryInput): FailedSummary {
  const { window, maxHistoryShare, turnPrefix, previousSummary } = input;
  const much = hasMuchNewContent(input.tokensBefore, sumOf(input.history) + sumOf(turnPrefix), window, maxHistoryShare);
  const from = much ? pruneSizes(input.history, window, maxHistoryShare).from : 0;
  const [dropped, history] = [input.history.slice(0, from), input.history.slice(from)];
  const stages = (sizes: readonly Tokens[], measured: readonly Tokens[], previous: Chars | undefined) =>
    ofStages(sizes, { window, previous, most: chunkTokens(measured, window) });
  const ofDropped = from > 0 ? stages(dropped, dropped, previousSummary) : undefined;
  const rest = [...history, ...turnPrefix];
  const whole = stages(history, rest, ofDropped?.chars ?? previousSummary);
  const prefix = turnPrefix.length > 0 ? stages(turnPrefix, rest, undefined) : undefined;
  const all = [ofDropped, whole, prefix].filter((one) => one !== undefined);
  return {
    chars: whole.chars + (prefix === undefined ? 0 : TURN_CONTEXT.length + prefix.chars),
    calls: sumOf(all.map(({ calls }) => calls)),
    tokens: sumOf(all.map(({ tokens }) => tokens)),
  };
}

/** Chars of a summary whose calls all answer with an empty text; for a history without messages, it holds the previous summary. */
export function emptySummaryChars(history: boolean, turnPrefix: boolean, previousSummary: Chars | undefined): Chars {
  const before = history ? 0 : (previousSummary ?? NO_HISTORY.length);
  return before + (turnPrefix ? TURN_CONTEXT.length : 0);
}

function chunkTokens(measured: readonly Tokens[], window: Tokens): Tokens {
  return Math.max(1, Math.floor(window * chunkRatioOf(sumOf(measured), measured.length, window)));
}

interface Around {
  readonly window: Tokens;
  readonly previous: Chars | undefined;
  /** Maximum tokens of one call. */
  readonly most: Tokens;
}

/** A note for everything, or one for each part and one for the summary that would merge them. */
function ofStages(sizes: readonly Tokens[], around: Around): FailedSummary {
  const parts =
    sizes.length < MIN_MESSAGES_FOR_SPLIT || sumOf(sizes) <= around.most ? [] : cutAt(sizes, shareEnds(sizes));
  if (parts.length <= 1) return ofCalls(sizes, around);
  const notes = parts.map((part) => ofCalls(part, { ...around, previous: undefined }));
  const merged = ofCalls(
    notes.map(({ chars }) => tokensOf(chars)),
    around,
  );
  const all = [...notes, merged];
  return {
    chars: merged.chars,
    calls: sumOf(all.map(({ calls }) => calls)),
    tokens: sumOf(all.map(({ tokens }) => tokens)),
  };
}

/** The first call fails, and a second one without oversized messages fails too. Without messages, nothing is sent. */
function ofCalls(sizes: readonly Tokens[], { window, previous, most }: Around): FailedSummary {
  if (sizes.length === 0) return { chars: previous ?? NO_HISTORY.length, calls: 0, tokens: 0 };
  const small = sizes.filter((size) => !isOversizedSize(size, window));
  const tries = [sizes, small].filter(({ length }) => length > 0);
  const sent = tries.map((some) => sumOf(some.slice(0, maximumEnds(some, most)[0])) + tokensOf(previous ?? 0));
  const note = `Context contained ${sizes.length} messages (${sizes.length - small.length} oversized). Summary unavailable due to size limits.`;
  return { chars: note.length, calls: tries.length, tokens: sumOf(sent) };
}

function tokensOf(chars: Chars): Tokens {
  return Math.ceil(chars / 4);
}
