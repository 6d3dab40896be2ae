import { type Band, bandOfCategory } from "@/components/charts/bands";
import type { Breakdown, BreakdownKind } from "@/lib/core/context/breakdown";
import type { NamedTokens } from "@/lib/core/context/context-overhead";

/** One row of the breakdown table. The parts of the messages have rows of their own, one level below. */
export interface CompositionRow {
  readonly id: string;
  /** Tools, files or skills by name, shown when the row is opened. */
  readonly items: readonly NamedTokens[];
  readonly level: 0 | 1;
  readonly tokens: number;
  /** Share of the window. */
  readonly share: number;
  readonly kind: BreakdownKind;
  readonly band: Band | undefined;
  /** True if the window bar draws it. For a row with parts, the bar draws the parts. */
  readonly drawn: boolean;
}

/** The breakdown as rows of a table, in category order. */
export function compositionRows(breakdown: Breakdown, window: number): readonly CompositionRow[] {
  const line = (id: string, tokens: number, kind: BreakdownKind, level: 0 | 1, drawn: boolean): CompositionRow => ({
    id,
    level,
    tokens,
    share: window > 0 ? tokens / window : 0,
    kind,
    band: bandOfCategory(id),
    drawn,
    items: [],
  });
  return breakdown.rows.flatMap((row) => {
    const parts = row.parts ?? [];
    return [
      { ...line(row.id, row.tokens, row.kind, 0, parts.length === 0), items: row.items ?? [] },
      ...parts.map((part) => line(part.id, part.tokens, part.kind, 1, true)),
    ];
  });
}

/** The total of the table. It leaves out the parts, which their parent row already includes. */
export function sumOfRows(rows: readonly CompositionRow[]): number {
  return rows.filter(({ level }) => level === 0).reduce((sum, { tokens }) => sum + tokens, 0);
}
