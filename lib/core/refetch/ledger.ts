import type { ItemIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { RefetchBoundary } from "./boundaries";
import type { NamesInText, RefetchIndex, UnknownRefetches } from "./index-builder";
import { type PathRefetch, type RefetchOrigin, refetchesIn } from "./refetch";
import { type RefetchedText, type RefetchedTexts, refetchedTexts } from "./refetched-texts";
import { type PredictorScore, predictorScore, type SummaryScore, summaryScores, textScores, tokensOf } from "./scores";
import { Sources } from "./sources";

/** One re-fetch: docs/method.md, "Re-fetched content". */
export interface LedgerRefetch {
  readonly kind: "N1" | "N2" | "N3" | "N4" | "N5";
  /** The dropped item: of several, the cheapest that would bring the content back. */
  readonly dropped: ItemIndex;
  /** The later item that uses or repeats the content. */
  readonly needed: ItemIndex;
  /** Its tokens. For N3 and N4 these are the tokens of the items that bring it back, except items that an earlier re-fetch already brought back. */
  readonly tokens: Tokens;
  /** True if the re-fetch takes a request, because no earlier one fetched all its items. */
  readonly isFetched: boolean;
  /** True for the output of a check, which was repeated because something changed. */
  readonly isCheck: boolean;
  /** For N1 and N2. */
  readonly text?: Pick<RefetchedText, "lines" | "chars" | "isSameFile">;
  /** For N3. */
  readonly path?: { readonly name: string; readonly origin: RefetchOrigin };
}

/** Re-fetches after one compaction or clearing. */
export interface BoundaryLedger {
  /** The boundary, as its index in the list. */
  readonly boundary: number;
  readonly needs: readonly LedgerRefetch[];
  /** For a recorded compaction; absent if the file does not hold the summary's text. */
  readonly summary?: SummaryScore | undefined;
}

export interface Ledger {
  /** Reason for a missing report; then there are no boundaries. */
  readonly unknown: UnknownRefetches | undefined;
  readonly boundaries: readonly BoundaryLedger[];
  /** Absent without a recorded compaction. */
  readonly predictor?: PredictorScore | undefined;
  /** Scores of texts given as summaries of one boundary. */
  readonly textScores?: readonly SummaryScore[] | undefined;
}

/** Texts to score as if each were the summary of a boundary. */
interface ScoredTexts {
  /** The boundary, as its index in the list. */
  readonly number: number;
  readonly texts: readonly NamesInText[];
}

/**
 * The re-fetch report for a list of boundaries.
 * @param boundaries recorded or simulated, in the order of the file
 * @param sizes tokens of every row
 */
export function ledgerOf(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: readonly RefetchBoundary[],
  sizes: Int32Array,
  isRecording: boolean,
  there?: ScoredTexts,
): Ledger {
  if (index.unknown !== undefined) return { unknown: index.unknown, boundaries: [] };
  const refetched = isRecording ? refetchedTexts(columns, index, boundaries) : [];
  const summaries = isRecording ? summaryScores(columns, index, boundaries) : [];
  const used = usedAgain(columns, index, boundaries, sizes, isRecording);
  const asked = askedAgain(columns, index, boundaries);
  let compaction = 0;
  const ledgers = boundaries.flatMap(({ kind }, boundary): readonly BoundaryLedger[] => {
    if (kind === "rollback") return [];
    const number = kind === "compaction" ? compaction++ : -1;
    const refetches = [
      ...textRefetches(columns, sizes, refetched[number]),
      ...(used.get(boundary) ?? []),
      ...asked
        .filter((one) => one.boundary === boundary)
        .map(({ dropped, again }) => ({ kind: "N5" as const, dropped, needed: again, ...NO_COST })),
    ];
    return [{ boundary, needs: refetches, ...(isRecording ? { summary: summaries[number] } : {}) }];
  });
  const predictor = refetched.length > 0 ? predictorScore(columns, index, boundaries, refetched, sizes) : undefined;
  const scoresOfTexts = there === undefined ? undefined : textScores(columns, index, boundaries, there, isRecording);
  return { unknown: undefined, boundaries: ledgers, predictor, textScores: scoresOfTexts };
}

/** For entries that no sum includes. */
const NO_COST = { tokens: 0, isFetched: false, isCheck: false };

function textRefetches(
  columns: SessionColumns,
  sizes: Int32Array,
  refetched?: RefetchedTexts,
): readonly LedgerRefetch[] {
  const refetchOf = (kind: "N1" | "N2", one: RefetchedText): LedgerRefetch => ({
    kind,
    dropped: one.dropped,
    needed: one.again,
    tokens: tokensOf(columns, sizes, one),
    isFetched: false,
    isCheck: one.isCheck,
    text: { lines: one.lines, chars: one.chars, isSameFile: one.isSameFile },
  });
  if (refetched === undefined) return [];
  return [
    ...refetched.results.map((one) => refetchOf("N1", one)),
    ...refetched.lines.map((one) => refetchOf("N2", one)),
  ];
}

/** A path as spelled by the call that uses it: other texts may shorten it, or mean another file with the same last two parts. */
function spelledPath({ uses, usedAs }: RefetchIndex, { needed: refetched, path }: PathRefetch): string {
  const from = uses.offset[refetched] ?? 0;
  return usedAs[from + raggedRow(uses, refetched).indexOf(path)] ?? "";
}

/** Paths and edits, by boundary, the edits first: items that bring one back may bring others back too. */
function usedAgain(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: readonly RefetchBoundary[],
  sizes: Int32Array,
  isRecording: boolean,
): ReadonlyMap<number, readonly LedgerRefetch[]> {
  const { paths, edits } = refetchesIn(columns, index, boundaries, isRecording);
  const sources = new Sources(columns, index, boundaries, sizes);
  const fetched = new Set<ItemIndex>();
  const found = new Map<number, LedgerRefetch[]>();
  const add = (
    kind: "N3" | "N4",
    { boundary, needed: refetched }: { readonly boundary: number; readonly needed: ItemIndex },
    rows: readonly ItemIndex[],
    path?: LedgerRefetch["path"],
  ) => {
    const newlyFetched = rows.filter((row) => row >= 0 && !fetched.has(row));
    for (const row of newlyFetched) fetched.add(row);
    const tokens = newlyFetched.reduce((sum, row) => sum + sources.tokensOf(row), 0);
    const list = found.get(boundary) ?? [];
    found.set(boundary, list);
    const refetch = {
      kind,
      dropped: rows[0] ?? -1,
      needed: refetched,
      tokens,
      isFetched: newlyFetched.length > 0,
      isCheck: false,
    };
    list.push(path === undefined ? refetch : { ...refetch, path });
  };
  for (const refetch of edits) add("N4", refetch, sources.ofEdit(refetch));
  for (const refetch of paths) {
    add("N3", refetch, [sources.ofPath(refetch)], { name: spelledPath(index, refetch), origin: refetch.origin });
  }
  return found;
}

/** A typed message that repeats a dropped one (N5 of docs/method.md, "Re-fetched content"): a hint, not a re-fetch. */
interface AskedAgain {
  /** The boundary, as its index in the list. */
  readonly boundary: number;
  readonly dropped: ItemIndex;
  readonly again: ItemIndex;
}

/** Minimum share of common words, of all words of both, for messages that repeat each other. */
const MIN_ALIKE = 0.6;
/** Shorter messages, such as "yes, go on", repeat each other by chance. */
const MIN_WORDS = 5;

/** Repeated requests after each compaction, each dropped message once, at its first repetition. */
export function askedAgain(
  columns: SessionColumns,
  { words }: Pick<RefetchIndex, "words">,
  boundaries: readonly RefetchBoundary[],
): readonly AskedAgain[] {
  const longEnough = (row: ItemIndex) => raggedRow(words, row).length >= MIN_WORDS;
  return boundaries.flatMap(({ kind, dropped, carried, from }, boundary) => {
    if (kind !== "compaction") return [];
    const next = boundaries.findIndex((one, index) => index > boundary && one.kind === "compaction");
    const end = boundaries[next]?.from ?? columns.length;
    const isCarried = new Set(carried);
    // Messages with the same words count as one.
    const asked = new Map<string, ItemIndex>();
    for (const row of dropped) if (longEnough(row)) asked.set([...raggedRow(words, row)].sort().join(), row);
    const found: AskedAgain[] = [];
    for (let again = from; again < end; again++) {
      if (!longEnough(again) || isCarried.has(again)) continue;
      const own = new Set(raggedRow(words, again));
      for (const [key, row] of asked) {
        if (alike(own, raggedRow(words, row)) < MIN_ALIKE) continue;
        asked.delete(key);
        found.push({ boundary, dropped: row, again });
        break;
      }
    }
    return found;
  });
}

/** The share of words in both, of all words in either. */
function alike(own: ReadonlySet<number>, other: Int32Array): number {
  let both = 0;
  for (const word of other) if (own.has(word)) both += 1;
  return both / (own.size + other.length - both);
}
