import type { ItemIndex, Tokens } from "../base/units";
import { ORIGIN, type RaggedColumn, type SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { RefetchBoundary } from "./boundaries";
import type { NamesInText, RefetchIndex } from "./index-builder";
import { refetchesIn } from "./refetch";
import type { RefetchedText, RefetchedTexts } from "./refetched-texts";
import { Sources } from "./sources";

/** Score of a summary's names of one kind against later uses. */
interface NamedShare {
  /** Number of re-fetched names, and how many of them the summary names. */
  readonly needed: number;
  readonly neededNamed: number;
  /** Number of the summary's names, and how many of them a later call used. */
  readonly named: number;
  readonly namedUsed: number;
}

/** Overlap of a summary's names with later uses. This does not measure the model's memory. */
export interface SummaryScore {
  readonly paths: NamedShare;
  readonly names: NamedShare;
}

/** The score of every recorded compaction's summary, up to the next compaction; `undefined` if the file does not hold its text. */
export function summaryScores(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: readonly RefetchBoundary[],
): readonly (SummaryScore | undefined)[] {
  const scores = new Scores(columns, index, boundaries, true);
  return boundaries.flatMap((boundary, number) => {
    if (boundary.kind !== "compaction") return [];
    const rows = summaryRows(columns, boundary);
    if (!rows.some((row) => raggedRow(index.lines, row).length > 0)) return [undefined];
    return [scores.of(number, { paths: valuesOf(index.mentions, rows), names: valuesOf(index.names, rows) })];
  });
}

/**
 * The scores of texts as summaries of one boundary, recorded or simulated.
 * @param number the boundary's index in the list
 */
export function textScores(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: readonly RefetchBoundary[],
  { number, texts }: { readonly number: number; readonly texts: readonly NamesInText[] },
  isRecording: boolean,
): readonly SummaryScore[] {
  const scores = new Scores(columns, index, boundaries, isRecording);
  return texts.map((one) => scores.of(number, one));
}

/** Names of one kind: used by calls, and re-fetched. */
interface UsedNames {
  readonly uses: RaggedColumn;
  readonly needs: ReturnType<typeof refetchesIn>["paths"];
}

/** Uses after boundaries, to score a summary's names against. */
class Scores {
  readonly #paths: UsedNames;
  readonly #names: UsedNames;

  constructor(
    private readonly columns: SessionColumns,
    index: RefetchIndex,
    private readonly boundaries: readonly RefetchBoundary[],
    isRecording: boolean,
  ) {
    const nothing = { offset: new Int32Array(columns.length + 1), value: new Int32Array(0) };
    const used = (mentions: RaggedColumn, uses: RaggedColumn): UsedNames => {
      const refetches = refetchesIn(
        columns,
        { lines: nothing, edits: nothing, mentions, uses },
        boundaries,
        isRecording,
      );
      return { uses, needs: refetches.paths };
    };
    this.#paths = used(index.mentions, index.uses);
    this.#names = used(index.names, index.usedNames);
  }

  of(number: number, { paths, names }: NamesInText): SummaryScore {
    return { paths: this.#share(number, paths, this.#paths), names: this.#share(number, names, this.#names) };
  }

  #share(number: number, values: readonly number[], { uses, needs: refetches }: UsedNames): NamedShare {
    const { boundaries, columns } = this;
    const next = boundaries.find((one, at) => at > number && one.kind === "compaction");
    const used = new Set(
      valuesOf(uses, rowsBetween(boundaries[number]?.from ?? columns.length, next?.from ?? columns.length)),
    );
    const named = new Set(values);
    const refetched = refetches.filter((refetch) => refetch.boundary === number);
    return {
      needed: refetched.length,
      neededNamed: refetched.filter(({ path }) => named.has(path)).length,
      named: named.size,
      namedUsed: [...named].filter((one) => used.has(one)).length,
    };
  }
}

function summaryRows(columns: SessionColumns, { carried }: RefetchBoundary): readonly ItemIndex[] {
  return carried.filter((row) => columns.origin[row] === ORIGIN.summary);
}

function valuesOf(values: RaggedColumn, rows: readonly ItemIndex[]): readonly number[] {
  return rows.flatMap((row) => Array.from(raggedRow(values, row)));
}

/** Predictions of the rule for simulated boundaries at recorded ones, against actual re-fetches. */
export interface PredictorScore {
  /** Predicted re-fetches, and those of them with a source that was re-fetched. */
  readonly predicted: number;
  readonly confirmed: number;
  /** Re-fetched dropped results, without checks, and the part that is a source of a predicted re-fetch. */
  readonly refetched: number;
  readonly refetchedPredicted: number;
  readonly predictedTokens: Tokens;
  readonly refetchedTokens: Tokens;
}

/**
 * Scores the rule for simulated boundaries (N3 and N4, no summary known) at recorded compactions, against actual re-fetches (N1, N2). A source is a
 * dropped result that names the path, whose call does, or that holds a line of the edit.
 * @param refetched by compaction
 */
export function predictorScore(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: readonly RefetchBoundary[],
  refetched: readonly RefetchedTexts[],
  sizes: Int32Array,
): PredictorScore {
  const unseen = boundaries.map((boundary) => ({ ...boundary, carried: [] }));
  const { paths, edits } = refetchesIn(columns, index, unseen, false);
  const sources = new Sources(columns, index, boundaries, sizes);
  const all = refetched.flatMap(({ results, lines }) => [...results, ...lines]).filter(({ isCheck }) => !isCheck);
  const refetchedRows = new Set(all.map(({ dropped }) => dropped));
  const predicted = [
    ...paths.map((refetch) => ({ all: sources.allOfPath(refetch), cheapest: [sources.ofPath(refetch)] })),
    ...edits.map((refetch) => ({ all: sources.allOfEdit(refetch), cheapest: sources.ofEdit(refetch) })),
  ];
  const named = new Set(predicted.flatMap((refetch) => refetch.all));
  const cheapest = new Set(predicted.flatMap((refetch) => refetch.cheapest));
  return {
    predicted: predicted.length,
    confirmed: predicted.filter((refetch) => refetch.all.some((row) => refetchedRows.has(row))).length,
    refetched: refetchedRows.size,
    refetchedPredicted: [...refetchedRows].filter((row) => named.has(row)).length,
    predictedTokens: [...cheapest].reduce((sum, row) => sum + sources.tokensOf(row), 0),
    refetchedTokens: refetched
      .flatMap(({ lines }) => lines)
      .reduce((sum, one) => sum + (one.isCheck ? 0 : tokensOf(columns, sizes, one)), 0),
  };
}

/** The tokens of re-fetched lines, from the ratio of tokens to characters of their result. */
export function tokensOf(columns: SessionColumns, sizes: Int32Array, { again, chars }: RefetchedText): Tokens {
  const whole = columns.chars[again] ?? 0;
  return whole === 0 ? 0 : Math.round((chars * (sizes[again] ?? 0)) / whole);
}

function rowsBetween(from: ItemIndex, to: ItemIndex): readonly ItemIndex[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
