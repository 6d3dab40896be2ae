import { KINDS, type SessionColumns } from "../columns/columns";
import type { ContextView } from "./policy";

const CALL = KINDS.indexOf("tool_call");

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

/**
 * The files of the calls in a stretch of the context.
 * @param tools names of the tools whose files count, in small letters; in recordings their case does not matter
 */
export function filesOfCalls(
  view: ContextView,
  { from, to }: { readonly from: number; readonly to: number },
  tools: ReadonlySet<string>,
  before: FileList | undefined,
): FileList {
  const { columns } = view;
  const counts = columns.tables.tools.map((tool) => tools.has(tool.toLowerCase()));
  const items = view.items.list();
  const files: number[] = [];
  for (let position = from; position < to; position++) {
    const item = items[position] ?? -1;
    if (columns.kind[item] !== CALL || counts[columns.tool[item] ?? -1] !== true) continue;
    const file = columns.file[item] ?? -1;
    if (file >= 0) files.push(file);
  }
  return new FileList(columns, files, before);
}
