import { KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import type { Rows } from "./rows";

/** Part of a turn that a row shows. */
type TurnPart =
  /** Typed by a person; begins a turn. */
  | "prompt"
  /** The model's text to the person. */
  | "answer"
  /** The summary of a compaction. */
  | "summary"
  /** A step between prompt and answer: a call, thinking, what the agent added. */
  | "step";

/** Fewer steps than this are always in sight. */
const MIN_FOLDED = 5;

/** Steps that fold into one row. */
export interface Trace {
  /** Its rows among `Turns.lines`, as a half-open range. */
  readonly from: number;
  readonly to: number;
}

/** A session by turns, with every trace unfolded. */
export interface Turns {
  readonly lines: Rows;
  /** By line. */
  readonly parts: readonly TurnPart[];
  /** The trace of a line, by line; −1 for prompts, answers, summaries, and steps that do not fold. */
  readonly traceOf: Int32Array;
  readonly traces: readonly Trace[];
}

type TurnColumns = Pick<SessionColumns, "kind" | "origin" | "turn" | "overheadRows">;

/**
 * Groups the rows of a transcript into turns. The answer of a turn is its last text, unless calls follow it: then the model was not done.
 * @param lines the rows of the list of items
 * @param everyAnswer every text of the model counts as an answer, not only the last one of its turn
 */
export function transcriptTurns(columns: TurnColumns, lines: Rows, everyAnswer: boolean): Turns {
  const count = lines.items.length;
  const parts: TurnPart[] = Array.from(lines.items, (item) => partOf(columns, item));
  if (!everyAnswer) keepLastAnswers(columns, lines, parts);
  const traces: Trace[] = [];
  const traceOf = new Int32Array(count).fill(-1);
  let from = 0;
  for (let line = 1; line <= count; line += 1) {
    if (parts[line] === parts[from] && turnOf(columns, lines, line) === turnOf(columns, lines, from)) continue;
    if (parts[from] === "step" && line - from >= MIN_FOLDED) {
      traceOf.fill(traces.length, from, line);
      traces.push({ from, to: line });
    }
    from = line;
  }
  return { lines, parts, traceOf, traces };
}

function partOf({ kind, origin, overheadRows }: TurnColumns, item: number): TurnPart {
  if (item < overheadRows) return "step";
  if (origin[item] === ORIGIN.summary) return "summary";
  const isText = kind[item] === KIND.text;
  if (origin[item] === ORIGIN.typed && (isText || kind[item] === KIND.image)) return "prompt";
  return origin[item] === ORIGIN.response && isText ? "answer" : "step";
}

/** Turns every answer into a step that is not among the last texts of its turn. */
function keepLastAnswers(columns: TurnColumns, lines: Rows, parts: TurnPart[]): void {
  let turn: number | undefined;
  let isDone = false;
  for (let line = parts.length - 1; line >= 0; line -= 1) {
    if (turnOf(columns, lines, line) !== turn) {
      turn = turnOf(columns, lines, line);
      isDone = false;
    }
    const kind = columns.kind[lines.items[line] ?? 0];
    if (parts[line] === "answer" && isDone) parts[line] = "step";
    // Thinking between two texts of an answer does not end the answer.
    isDone ||= kind === KIND.tool_call || kind === KIND.tool_result;
  }
}

function turnOf(columns: TurnColumns, lines: Rows, line: number): number {
  return columns.turn[lines.items[line] ?? 0] ?? -1;
}

/** Rows of a transcript by turns: a folded trace has one row, with its first item. */
export function foldedRows({ lines, traceOf, traces }: Turns, isUnfolded: (trace: Trace) => boolean): Rows {
  const open = traces.map(isUnfolded);
  const items = new Int32Array(lines.items.length);
  const rowOfLine = new Int32Array(lines.items.length);
  let rows = 0;
  for (let line = 0; line < lines.items.length; line += 1) {
    const trace = traceOf[line] ?? -1;
    const isHidden = trace >= 0 && open[trace] !== true && traces[trace]?.from !== line;
    if (!isHidden) {
      items[rows] = lines.items[line] ?? 0;
      rows += 1;
    }
    rowOfLine[line] = rows - 1;
  }
  return { items: items.slice(0, rows), rowOf: lines.rowOf.map((line) => rowOfLine[line] ?? 0), empty: lines.empty };
}

/** The trace that begins with an item; `undefined` where none does. */
export function traceFrom(turns: Turns, item: number): Trace | undefined {
  const trace = traceWith(turns, item);
  return trace !== undefined && turns.lines.items[trace.from] === item ? trace : undefined;
}

/** The trace that an item belongs to; `undefined` if it does not fold. */
export function traceWith({ lines, traceOf, traces }: Turns, item: number): Trace | undefined {
  return traces[traceOf[lines.rowOf[item] ?? 0] ?? -1];
}
