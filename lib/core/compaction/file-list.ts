import { lowerBound } from "../base/lower-bound";
import type { ItemIndex } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import type { ContextView } from "./policy";
import { firstRecorded } from "./selection";

/**
 * The files that a summary names: those of the calls it stands for, and those of the summary before it. Put in order when
 * it is read: a replay makes many of these, and few are looked at.
 */
export class FileList {
  #names: readonly string[] | undefined;

  /** @param files indices into the table of files */
  constructor(
    private readonly columns: SessionColumns,
    private readonly files: readonly number[],
    private readonly before: FileList | undefined,
  ) {}

  /** Every file once, by UTF-16 order. */
  get names(): readonly string[] {
    this.#names ??= [...this.#all()].flatMap((file) => this.columns.tables.files[file] ?? []).sort();
    return this.#names;
  }

  #all(): Set<number> {
    const all = new Set<number>();
    let list: FileList | undefined = this;
    for (; list !== undefined; list = list.before) for (const file of list.files) all.add(file);
    return all;
  }
}

/** The calls of a session whose files count. */
interface FileCalls {
  /** Their rows, ascending. */
  readonly rows: Int32Array;
  /** And the file of each. */
  readonly files: Int32Array;
}

const known = new WeakMap<SessionColumns["file"], Map<ReadonlySet<string>, FileCalls>>();

/** Looked up once for a session and a set of tools, by identity: a constant of the policy. */
function fileCalls(columns: SessionColumns, tools: ReadonlySet<string>): FileCalls {
  const bySet = known.get(columns.file) ?? new Map<ReadonlySet<string>, FileCalls>();
  known.set(columns.file, bySet);
  const calls = bySet.get(tools) ?? callsOf(columns, tools);
  bySet.set(tools, calls);
  return calls;
}

function callsOf(columns: SessionColumns, tools: ReadonlySet<string>): FileCalls {
  const { kind, tool, file, tables } = columns;
  const counts = tables.tools.map((name) => tools.has(name.toLowerCase()));
  const rows: ItemIndex[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (kind[row] === KIND.tool_call && counts[tool[row] ?? -1] === true && (file[row] ?? -1) >= 0) rows.push(row);
  }
  return { rows: Int32Array.from(rows), files: Int32Array.from(rows, (row) => file[row] ?? -1) };
}

/**
 * The files of the calls in a stretch of the context. Recorded items stand in file order: what is there of the calls between
 * the stretch's first and its last row stands within it.
 * @param tools names of the tools whose files count, in small letters; in recordings their case does not matter
 */
export function filesOfCalls(
  view: ContextView,
  { from, to }: { readonly from: number; readonly to: number },
  tools: ReadonlySet<string>,
  before: FileList | undefined,
): FileList {
  const { columns } = view;
  const { rows, files } = fileCalls(columns, tools);
  const found: number[] = [];
  const last = lastRecorded(view, from, to);
  for (let at = lowerBound(rows, firstRecorded(view, from)); at < rows.length; at++) {
    const row = rows[at] ?? last;
    if (row > last) break;
    if (view.items.has(row)) found.push(files[at] ?? -1);
  }
  return new FileList(columns, found, before);
}

/** The last recorded item between two positions; −1 where there is none. */
function lastRecorded(view: ContextView, from: number, to: number): ItemIndex {
  for (let position = to - 1; position >= from; position--) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return -1;
}
