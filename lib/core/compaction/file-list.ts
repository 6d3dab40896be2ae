import { lowerBound } from "../base/numbers";
import type { ItemIndex } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import type { ContextView } from "./policy/policy";
import { firstRecorded } from "./selection";

/**
 * Files that a summary names: files of the calls that it replaces, and files named by the previous summary. Sorted on access, since a replay creates
 * many of these lists and few are read.
 */
export class FileList {
  #names: readonly string[] | undefined;

  /** @param files indices into the table of files */
  constructor(
    private readonly columns: SessionColumns,
    private readonly files: readonly number[],
    private readonly before: FileList | undefined,
  ) {}

  /** Every file once, sorted by UTF-16 code units. */
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

/** Calls of a session that contribute files. */
interface FileCalls {
  /** Rows of the calls, ascending. */
  readonly rows: Int32Array;
  /** The file of each call. */
  readonly files: Int32Array;
}

const cache = new WeakMap<SessionColumns["file"], Map<ReadonlySet<string>, FileCalls>>();

/** Computed once per session and set of tools. The cache key is the set's identity, so it must be a constant of the policy. */
function fileCalls(columns: SessionColumns, tools: ReadonlySet<string>): FileCalls {
  const bySet = cache.get(columns.file) ?? new Map<ReadonlySet<string>, FileCalls>();
  cache.set(columns.file, bySet);
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
 * Files of the calls in a range of the context. Recorded items are in file order, so the calls between the range's first and last row belong to the
 * range.
 * @param tools names of the tools whose files count, in lower case; the case of recorded names does not matter
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

/** The last recorded item between two positions; −1 if there is none. */
function lastRecorded(view: ContextView, from: number, to: number): ItemIndex {
  for (let position = to - 1; position >= from; position--) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return -1;
}
