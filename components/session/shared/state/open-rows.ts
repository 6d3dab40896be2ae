import { neighbour, type Rows } from "./rows";
import { foldedRows, type Trace, type Turns, traceFrom, traceWith } from "./turns";

/** The rows that one button opens: every text of the model, or all rows. */
export type Expanded = "none" | "answers" | "all";

/** The open rows of the transcript, and the unfolded traces. */
export interface OpenRows {
  readonly expanded: Expanded;
  /** Rows that a person has opened or closed, by their first item. */
  readonly rows: ReadonlyMap<number, boolean>;
  /** Traces that a person has unfolded or folded, by their first item. */
  readonly traces: ReadonlyMap<number, boolean>;
}

/** The transcript as the page lists it: `turns` is absent in the list of items. */
interface Listed {
  readonly rows: Rows;
  readonly turns: Turns | undefined;
}

/** The state after a press that opens or closes everything. */
export function allOpen(expanded: Expanded): OpenRows {
  return { expanded, rows: new Map(), traces: new Map() };
}

function isUnfolded({ lines }: Turns, { expanded, traces }: OpenRows, { from }: Trace): boolean {
  return traces.get(lines.items[from] ?? 0) ?? expanded === "all";
}

/** True if an item begins a folded trace. */
export function isFolded(turns: Turns, open: OpenRows, item: number): boolean {
  const trace = traceFrom(turns, item);
  return trace !== undefined && !isUnfolded(turns, open, trace);
}

/** The rows of the view by turns. */
export function rowsOfTurns(turns: Turns, open: OpenRows): Rows {
  return foldedRows(turns, (trace) => isUnfolded(turns, open, trace));
}

/** True if the row that begins with an item shows its texts. By turns, prompts and answers do so from the start. */
export function isOpen({ turns }: Pick<Listed, "turns">, { expanded, rows }: OpenRows, item: number): boolean {
  return rows.get(item) ?? (turns !== undefined && (expanded === "all" || isSpoken(turns, item)));
}

/** True for prompts and answers. */
export function isSpoken({ lines, parts }: Turns, item: number): boolean {
  const part = parts[lines.rowOf[item] ?? 0];
  return part === "prompt" || part === "answer";
}

/** Opens the row of an item, and unfolds the trace that it belongs to. */
export function withOpen({ rows, turns }: Listed, open: OpenRows, item: number): OpenRows {
  const opened = new Map(open.rows).set(neighbour(turns?.lines ?? rows, item, 0), true);
  return withUnfolded({ turns }, { ...open, rows: opened }, item);
}

/** Unfolds the trace that an item belongs to. */
export function withUnfolded({ turns }: Pick<Listed, "turns">, open: OpenRows, item: number): OpenRows {
  if (turns === undefined) return open;
  const trace = traceWith(turns, item);
  return trace === undefined ? open : withTrace(turns, open, trace, true);
}

/** Opens or closes the row that begins with an item. A folded trace that begins with it is unfolded. */
export function withToggled(listed: Listed, open: OpenRows, item: number): OpenRows {
  const { turns } = listed;
  if (turns !== undefined && isFolded(turns, open, item)) return withUnfolded(listed, open, item);
  return { ...open, rows: new Map(open.rows).set(item, !isOpen(listed, open, item)) };
}

export function withTrace({ lines }: Turns, open: OpenRows, { from }: Trace, isOpened: boolean): OpenRows {
  return { ...open, traces: new Map(open.traces).set(lines.items[from] ?? 0, isOpened) };
}
