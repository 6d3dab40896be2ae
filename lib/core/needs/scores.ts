import type { ItemIndex, Tokens } from "../base/units";
import { ORIGIN, type RaggedColumn, type SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { Bought, BoughtAgain } from "./bought-again";
import type { NeedBoundary } from "./boundaries";
import type { NeedsIndex } from "./index-builder";
import { neededAgain } from "./needs";
import { Sources } from "./sources";

/** How well a summary foresaw what is used, for names of one kind. */
export interface NamedShare {
  /** What was needed again, and how much of that the summary names. */
  readonly needed: number;
  readonly neededNamed: number;
  /** What the summary names, and how much of that a later call used. */
  readonly named: number;
  readonly namedUsed: number;
}

/** What a summary names of what was used after it. That is no measure of what the model remembered. */
export interface SummaryScore {
  readonly paths: NamedShare;
  readonly names: NamedShare;
}

/** The score of every recorded compaction's summary; `undefined` where the file does not hold its text. Up to the next compaction. */
export function summaryScores(
  columns: SessionColumns,
  index: NeedsIndex,
  boundaries: readonly NeedBoundary[],
): readonly (SummaryScore | undefined)[] {
  const nothing = { offset: new Int32Array(columns.length + 1), value: new Int32Array(0) };
  const shares = (mentions: RaggedColumn, uses: RaggedColumn) => {
    const needs = neededAgain(columns, { lines: nothing, edits: nothing, mentions, uses }, boundaries, true);
    return boundaries.map((boundary, number) => {
      const named = valuesOf(mentions, summaryRows(columns, boundary));
      const next = boundaries.find((one, at) => at > number && one.kind === "compaction");
      const used = valuesOf(uses, rowsBetween(boundary.from, next?.from ?? columns.length));
      const needed = needs.paths.filter((need) => need.boundary === number);
      return {
        needed: needed.length,
        neededNamed: needed.filter(({ path }) => named.has(path)).length,
        named: named.size,
        namedUsed: [...named].filter((one) => used.has(one)).length,
      };
    });
  };
  const paths = shares(index.mentions, index.uses);
  const names = shares(index.names, index.usedNames);
  return boundaries.flatMap((boundary, number) => {
    if (boundary.kind !== "compaction") return [];
    const [ofPaths, ofNames] = [paths[number], names[number]];
    const isRead = summaryRows(columns, boundary).some((row) => raggedRow(index.lines, row).length > 0);
    return [isRead && ofPaths && ofNames ? { paths: ofPaths, names: ofNames } : undefined];
  });
}

function summaryRows(columns: SessionColumns, { carried }: NeedBoundary): readonly ItemIndex[] {
  return carried.filter((row) => columns.origin[row] === ORIGIN.summary);
}

function valuesOf(values: RaggedColumn, rows: readonly ItemIndex[]): ReadonlySet<number> {
  return new Set(rows.flatMap((row) => Array.from(raggedRow(values, row))));
}

/** What the rule of simulated boundaries says of the recorded ones, against what was really bought again. */
export interface PredictorScore {
  /** Needs that the rule foresees, and those of them of which a source was bought again. */
  readonly foreseen: number;
  readonly right: number;
  /** Dropped results that were bought again, checks left out, and those of them that are a source of a foreseen need. */
  readonly bought: number;
  readonly foreseenBought: number;
  readonly foreseenTokens: Tokens;
  readonly boughtTokens: Tokens;
}

/**
 * Scores the rule by which needs after simulated boundaries are told (N3 and N4, no summary known) where it can be checked: at recorded compactions, by
 * what was really bought again (N1, N2). A source of a need is a dropped result that names its path, whose call does, or that holds a line of its edit.
 * @param bought by compaction
 */
export function predictorScore(
  columns: SessionColumns,
  index: NeedsIndex,
  boundaries: readonly NeedBoundary[],
  bought: readonly BoughtAgain[],
  sizes: Int32Array,
): PredictorScore {
  const unseen = boundaries.map((boundary) => ({ ...boundary, carried: [] }));
  const { paths, edits } = neededAgain(columns, index, unseen, false);
  const sources = new Sources(columns, index, boundaries, sizes);
  const all = bought.flatMap(({ results, lines }) => [...results, ...lines]).filter(({ isCheck }) => !isCheck);
  const boughtRows = new Set(all.map(({ dropped }) => dropped));
  const foreseen = [
    ...paths.map((need) => ({ all: sources.allOfPath(need), cheapest: [sources.ofPath(need)] })),
    ...edits.map((need) => ({ all: sources.allOfEdit(need), cheapest: sources.ofEdit(need) })),
  ];
  const named = new Set(foreseen.flatMap((need) => need.all));
  const cheapest = new Set(foreseen.flatMap((need) => need.cheapest));
  return {
    foreseen: foreseen.length,
    right: foreseen.filter((need) => need.all.some((row) => boughtRows.has(row))).length,
    bought: boughtRows.size,
    foreseenBought: [...boughtRows].filter((row) => named.has(row)).length,
    foreseenTokens: [...cheapest].reduce((sum, row) => sum + sources.tokensOf(row), 0),
    boughtTokens: bought
      .flatMap(({ lines }) => lines)
      .reduce((sum, one) => sum + (one.isCheck ? 0 : tokensOf(columns, sizes, one)), 0),
  };
}

/** The tokens of lines that were bought again, by what their result has of both. */
export function tokensOf(columns: SessionColumns, sizes: Int32Array, { again, chars }: Bought): Tokens {
  const whole = columns.chars[again] ?? 0;
  return whole === 0 ? 0 : Math.round((chars * (sizes[again] ?? 0)) / whole);
}

function rowsBetween(from: ItemIndex, to: ItemIndex): readonly ItemIndex[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
