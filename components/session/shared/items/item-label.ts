import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import { type ItemWord, itemWord } from "@/lib/core/columns/item-filter";
import { categoryOfCode } from "@/lib/core/context/breakdown";

/** What an item is, as the list says it. `tool` and `file` are names from the file; the other parts are our own words. */
export interface ItemLabel {
  readonly word: ItemWord;
  readonly tool: string | undefined;
  readonly file: string | undefined;
  /** Category of the columns, for overhead rows. */
  readonly category: string;
  /** Whether its size is an estimate because the file holds neither its text nor its length. */
  readonly masked: boolean;
}

/** The label of an item, made from the columns alone, so that it needs no text to be loaded. */
export function itemLabel(columns: SessionColumns, item: number): ItemLabel {
  return {
    word: itemWord(columns, item),
    tool: columns.tables.tools[columns.tool[item] ?? -1],
    file: columns.tables.files[columns.file[item] ?? -1],
    category: categoryOfCode(columns.category[item] ?? -1),
    masked: ((columns.flags[item] ?? 0) & FLAG.ESTIMATED) !== 0,
  };
}
