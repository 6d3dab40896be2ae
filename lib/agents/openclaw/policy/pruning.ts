import type { Chars, ItemIndex, Milliseconds, RequestIndex, Share, Tokens } from "@/lib/core/base/units";
import { KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { pointCount, pointEnd } from "@/lib/core/columns/points";
import type { ContextView, PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/policy/settings";
import {
  CLEARED_PLACEHOLDER,
  CUT,
  isResponse,
  PRUNING_IMAGE_CHARS,
  PRUNING_OTHER_CHARS,
  SOFT_TRIM_HEAD_CHARS,
  SOFT_TRIM_TAIL_CHARS,
} from "../base/constants";
import { cutOf } from "./context-units";
import { isUnsent, type Pairing, pairingOf } from "./pairing";
import { charsInContext, type ResultChars, resultChars202621, resultChars202696 } from "./result-chars";
import { resizedTokens, tokensOf } from "./sizes";

/**
 * Pruning of old tool results, computed from the columns, by the same rules as `prune.ts`. A result has the chars of its text; the rest of an earlier
 * pruning counts four chars for a token. Source: README.md, "Pruning".
 */
const RESULT = KIND.tool_result;

/** Results whose size changes, results whose content is cleared, and the duration of the change. */
interface PrunedItems {
  readonly transient: boolean;
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
}

const MINUTE_MS = 60_000;
const CHARS_PER_TOKEN = 4;

/** The settings of pruning other than the time to live. */
export interface PruningLimits {
  readonly keepLastAssistants: number;
  readonly softTrimRatio: Share;
  readonly hardClearRatio: Share;
  readonly minPrunableToolChars: Chars;
  readonly softTrim: SoftTrim;
}

/** Head and tail kept of a result longer than `maxChars`. */
interface SoftTrim {
  readonly maxChars: Chars;
  readonly headChars: Chars;
  readonly tailChars: Chars;
}

/** The differences between the releases. */
export interface PruningRule {
  readonly limits: (settings: Settings) => PruningLimits;
  readonly results: ResultChars;
  /** True if the history itself stays pruned; otherwise only the next request is pruned. */
  readonly lasts: boolean;
  /** True if results with images are pruned too, and images of responses count. */
  readonly looksAtImages: boolean;
}

export const pruning202621: PruningRule = {
  limits: (settings) =>
    limitsOf(settings, {
      headChars: numberSetting(settings, "pruningHeadChars"),
      tailChars: numberSetting(settings, "pruningTailChars"),
    }),
  results: resultChars202621,
  lasts: false,
  looksAtImages: false,
};

/** Trimmed sizes are measured from the texts in advance, so head and tail cannot be set. */
export const pruning202696: PruningRule = {
  limits: (settings) => limitsOf(settings, { headChars: SOFT_TRIM_HEAD_CHARS, tailChars: SOFT_TRIM_TAIL_CHARS }),
  results: resultChars202696,
  lasts: true,
  looksAtImages: true,
};

function limitsOf(settings: Settings, ends: Pick<SoftTrim, "headChars" | "tailChars">): PruningLimits {
  return {
    keepLastAssistants: numberSetting(settings, "pruningKeepResponses"),
    softTrimRatio: numberSetting(settings, "pruningTrimShare"),
    hardClearRatio: numberSetting(settings, "pruningClearShare"),
    minPrunableToolChars: numberSetting(settings, "pruningMinChars"),
    softTrim: { maxChars: numberSetting(settings, "pruningTrimAbove"), ...ends },
  };
}

/** Pruning of a recording in the course of a replay. */
export class Pruning {
  readonly #rule: PruningRule;
  readonly #settings: Settings;
  readonly #limits: PruningLimits;
  readonly #pairing: Pairing | undefined;
  /** Requests before which it is due; absent if it never is. */
  readonly #points: Uint8Array | undefined;

  constructor({ columns, settings, preset }: PolicyPlan, rule: PruningRule) {
    this.#rule = rule;
    this.#pairing = pairingOf(columns, preset);
    this.#settings = settings;
    this.#limits = rule.limits(settings);
    const ttlMinutes = numberSetting(settings, "pruningTtlMinutes");
    this.#points = ttlMinutes > 0 ? pruningPoints(columns, ttlMinutes) : undefined;
  }

  /** Changes before this request; `undefined` if it is not due, or changes nothing. */
  before(view: ContextView): PrunedItems | undefined {
    if (this.#points?.[view.request] !== 1) return undefined;
    const pruned = new PrunedHistory(view, this.#rule, this.#limits, this.#settings, this.#pairing).run();
    return pruned.truncated.length + pruned.cleared.length > 0 ? pruned : undefined;
  }
}

const cache = new WeakMap<object, Map<number, Uint8Array>>();

/**
 * Requests before which pruning is due: the cache was last touched longer ago than its time to live. The end of a run touches it, and so does
 * pruning itself.
 */
function pruningPoints(columns: SessionColumns, ttlMinutes: number): Uint8Array {
  // The start of a run is measured, or guessed without a measure.
  const key = columns.measures["openclaw.cut"] ?? columns.requests;
  const known = cache.get(key) ?? new Map<number, Uint8Array>();
  cache.set(key, known);
  const points = known.get(ttlMinutes) ?? pointsOf(columns, ttlMinutes * MINUTE_MS);
  known.set(ttlMinutes, points);
  return points;
}

function pointsOf(columns: SessionColumns, ttl: Milliseconds): Uint8Array {
  const points = new Uint8Array(pointCount(columns));
  let touched = Number.NaN;
  for (let request = 1; request < points.length; request++) {
    if (startsRun(columns, request)) touched = columns.requests.at[request - 1] ?? Number.NaN;
    const now = sentAt(columns, request);
    if (!(now - touched >= ttl)) continue;
    points[request] = 1;
    touched = now;
  }
  return points;
}

/** True if a message that starts a turn comes between the last response and this request. */
function startsRun(columns: SessionColumns, request: RequestIndex): boolean {
  const measured = columns.measures["openclaw.cut"];
  for (let row = pointEnd(columns, request) - 1; row >= (columns.requests.firstItem[request - 1] ?? 0); row--) {
    if (columns.origin[row] === ORIGIN.response) return false;
    if (measured === undefined ? columns.turn[row] !== columns.turn[row - 1] : measured[row] === CUT.TURN) return true;
  }
  return false;
}

/** Time of a request: the time of the newest sent item, or else of the answer. */
function sentAt(columns: SessionColumns, request: RequestIndex): Milliseconds {
  const newest = columns.at[(columns.requests.firstItem[request] ?? 0) - 1] ?? Number.NaN;
  return Number.isNaN(newest) ? (columns.requests.at[request] ?? Number.NaN) : newest;
}

/** The history before one request, while it is pruned. */
class PrunedHistory {
  readonly #view: ContextView;
  readonly #rule: PruningRule;
  readonly #limits: PruningLimits;
  readonly #settings: Settings;
  readonly #windowChars: Chars;
  readonly #changed = new Map<ItemIndex, { readonly chars: Chars; readonly isCleared: boolean }>();
  readonly #images: ItemIndex[] = [];
  #chars = 0;

  constructor(
    view: ContextView,
    rule: PruningRule,
    limits: PruningLimits,
    settings: Settings,
    /** Results that are not sent do not count; stand-ins count nothing. */
    private readonly pairing: Pairing | undefined,
  ) {
    this.#view = view;
    this.#rule = rule;
    this.#limits = limits;
    this.#settings = settings;
    this.#windowChars = view.window * CHARS_PER_TOKEN;
    let message: number = CUT.INSIDE;
    for (let position = 0; position < view.items.length; position++) {
      const item = view.items.at(position);
      const cut = cutOf(view, item);
      this.#chars += this.#itemChars(item, cut, message);
      if (cut !== CUT.INSIDE) message = cut;
    }
  }

  run(): PrunedItems {
    const { from, to } = this.#range();
    const { softTrimRatio, hardClearRatio, minPrunableToolChars } = this.#limits;
    if (from < 0 || to < 0 || this.#share() < softTrimRatio) return this.#result();
    const old = this.#prunable(from, to);
    for (const item of old) this.#trim(item);
    const chars = old.reduce((sum, item) => sum + this.#resultChars(item), 0);
    if (this.#share() >= hardClearRatio && chars >= minPrunableToolChars) {
      for (const item of old) if (this.#share() >= hardClearRatio) this.#change(item, CLEARED_PLACEHOLDER.length, true);
    }
    return this.#result();
  }

  #share(): number {
    return this.#chars / this.#windowChars;
  }

  /** From the first user message to the n-th last response, after which nothing is pruned; to the end if no responses are protected. */
  #range(): { readonly from: number; readonly to: number } {
    const { items } = this.#view;
    const cutAt = (position: number) => cutOf(this.#view, items.at(position));
    let from = 0;
    while (from < items.length && cutAt(from) !== CUT.TURN) from += 1;
    let left = this.#limits.keepLastAssistants;
    let to = items.length - (left > 0 ? 1 : 0);
    for (; left > 0 && to >= 0; to--) if (isResponse(cutAt(to)) && --left === 0) break;
    return { from: from < items.length ? from : -1, to };
  }

  /** The results in a range that pruning considers. */
  #prunable(from: number, to: number): readonly ItemIndex[] {
    const { items, columns } = this.#view;
    const found: ItemIndex[] = [];
    for (let position = from; position < to; position++) {
      const item = items.at(position);
      if (columns.kind[item] !== RESULT || isUnsent(this.pairing, item)) continue;
      if (this.#rule.looksAtImages || this.#imagesOf(item).length === 0) found.push(item);
    }
    return found;
  }

  /** Images that follow a result and belong to it. */
  #imagesOf(item: ItemIndex): readonly ItemIndex[] {
    const { columns } = this.#view;
    const found: ItemIndex[] = [];
    for (let row = item + 1; row < columns.length && columns.message[row] === columns.message[item]; row++) {
      if (columns.kind[row] !== KIND.image) break;
      if (this.#view.items.isWhole(row)) found.push(row);
    }
    return found;
  }

  /** Chars of an item as pruning counts them. A message of any other role has a fixed count. */
  #itemChars(item: ItemIndex, cut: number, message: number): Chars {
    const { columns } = this.#view;
    const kind = columns.kind[item];
    if (isUnsent(this.pairing, item)) return 0;
    if (isOther(cut)) return PRUNING_OTHER_CHARS;
    if (item >= columns.length) return this.#view.tokensOf(item) * CHARS_PER_TOKEN;
    if (cut === CUT.INSIDE && isOther(message)) return 0;
    if (kind === KIND.image) return this.#imageChars(item);
    return kind === RESULT ? this.#resultChars(item) : this.#textChars(item);
  }

  #imageChars(item: ItemIndex): Chars {
    const { columns, items } = this.#view;
    const isCounted = columns.origin[item] !== ORIGIN.response || this.#rule.looksAtImages;
    return isCounted && items.isWhole(item) ? PRUNING_IMAGE_CHARS : 0;
  }

  #textChars(item: ItemIndex): Chars {
    const { columns } = this.#view;
    const { measures } = columns;
    if (columns.kind[item] === KIND.tool_call)
      return measures["openclaw.callChars"]?.[item] ?? columns.chars[item] ?? 0;
    const { results } = this.#rule;
    if (columns.kind[item] === RESULT) return charsInContext(results, columns, item, this.#settings);
    return columns.kind[item] === KIND.thinking ? results.reasoning(columns, item) : results.recorded(columns, item);
  }

  /** Chars of a trimmed result; `undefined` if it is not trimmed. */
  #trimmedChars(item: ItemIndex): Chars | undefined {
    const markers = this.#rule.lasts ? (this.#view.columns.measures["openclaw.markerChars"]?.[item] ?? 0) : 0;
    const chars = this.#textChars(item) + markers;
    // If the text is short enough, its images still become markers.
    return this.#headAndTailChars(item, chars) ?? (markers > 0 ? chars : undefined);
  }

  /** Chars of head and tail of a long result; measured, if the result is in the context as recorded. */
  #headAndTailChars(item: ItemIndex, chars: Chars): Chars | undefined {
    const { softTrim } = this.#limits;
    const { columns } = this.#view;
    const units = columns.measures["openclaw.trimUnits"]?.[item];
    const isRecorded = this.#textChars(item) >= this.#rule.results.recorded(columns, item);
    if (!this.#rule.lasts || units === undefined || !isRecorded) return trimmedChars(chars, softTrim);
    return units > softTrim.maxChars ? columns.measures["openclaw.trimmedChars"]?.[item] : undefined;
  }

  /** Chars of a result; if it was pruned or limited before, its remaining chars. */
  #resultChars(item: ItemIndex): Chars {
    const changed = this.#changed.get(item);
    if (changed !== undefined) return changed.chars;
    if (!this.#view.items.isWhole(item)) return CLEARED_PLACEHOLDER.length;
    const chars = this.#textChars(item);
    const tokens = this.#view.tokensOf(item);
    // Nearly all results are whole: a result with its old size was never trimmed.
    const whole = chars + this.#rule.results.uncut(this.#view.columns, item);
    if (tokens === tokensOf(whole)) return chars;
    const trimmed = this.#rule.lasts ? this.#trimmedChars(item) : undefined;
    if (trimmed !== undefined && tokens === tokensOf(trimmed)) return trimmed;
    return tokens < tokensOf(whole) * LEFT_SHARE ? tokens * CHARS_PER_TOKEN : chars;
  }

  #trim(item: ItemIndex): void {
    const trimmed = this.#trimmedChars(item);
    // If the change lasts for one request only, a result is trimmed even if its length happens to stay the same.
    const isTrimmed = this.#rule.lasts && this.#resultChars(item) === trimmed;
    const isWhole = this.#view.items.isWhole(item) && !isTrimmed;
    if (trimmed !== undefined && isWhole) this.#change(item, trimmed, false);
  }

  /** Changes a result, which loses its images. */
  #change(item: ItemIndex, chars: Chars, isCleared: boolean): void {
    const images = this.#changed.has(item) ? [] : this.#imagesOf(item);
    this.#chars += chars - this.#resultChars(item) - images.length * PRUNING_IMAGE_CHARS;
    this.#changed.set(item, { chars, isCleared });
    this.#images.push(...images);
  }

  #result(): PrunedItems {
    const truncated: (readonly [ItemIndex, Tokens])[] = [];
    const cleared: (readonly [ItemIndex, Tokens])[] = [];
    const { items } = this.#view;
    for (const [item, { chars, isCleared }] of this.#changed) {
      const before = this.#view.tokensOf(item);
      const whole = this.#textChars(item) + this.#rule.results.uncut(this.#view.columns, item);
      // If the change lasts for one request only, a trimmed result may be longer with its note.
      const grows = !this.#rule.lasts && chars >= whole && before === tokensOf(whole);
      const after = grows ? tokensOf(chars) : resizedTokens(before, whole, chars);
      // The placeholder stays even if it is longer than the result.
      if (isCleared && items.isWhole(item)) cleared.push([item, Math.max(after, tokensOf(chars))]);
      else if (this.#imagesOf(item).length > 0) truncated.push([item, Math.max(after, tokensOf(chars))]);
      else if (grows || after < before) truncated.push([item, after]);
    }
    return {
      transient: !this.#rule.lasts,
      truncated,
      cleared: [...cleared, ...this.#images.map((item) => [item, 0] as const)],
    };
  }
}

function isOther(cut: number): boolean {
  return cut === CUT.ENTRY || cut === CUT.CARRIER || cut === CUT.MESSAGE;
}

/** A result below this share of its whole size is assumed to have been pruned before; above it, the difference is due to another estimator. */
const LEFT_SHARE = 0.5;

/** Chars of a result that is trimmed to head and tail; `undefined` if it is not trimmed. A text that fits into head and tail stays whole. */
function trimmedChars(chars: Chars, limits: SoftTrim): Chars | undefined {
  const { maxChars, headChars, tailChars } = limits;
  if (chars <= maxChars || headChars + tailChars >= chars) return undefined;
  const note = `\n...\n\n\n[Tool result trimmed: kept first ${headChars} chars and last ${tailChars} chars of ${chars} chars.]`;
  return headChars + tailChars + note.length;
}
