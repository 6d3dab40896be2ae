import { FLAG, KINDS, ORIGINS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import { categoryOfCode } from "@/lib/core/context/breakdown";

/** What an item is, as the list says it. `tool` and `file` are names from the file; the other parts are our own words. */
export interface ItemLabel {
  readonly word:
    | "overhead"
    | "user"
    | "assistant"
    | "thinking"
    | "call"
    | "result"
    | "failedResult"
    | "image"
    | "context"
    | "summary"
    | "system";
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
    word: wordOf(columns, item),
    tool: columns.tables.tools[columns.tool[item] ?? -1],
    file: columns.tables.files[columns.file[item] ?? -1],
    category: categoryOfCode(columns.category[item] ?? -1),
    masked: ((columns.flags[item] ?? 0) & FLAG.ESTIMATED) !== 0,
  };
}

function wordOf(columns: SessionColumns, item: number): ItemLabel["word"] {
  const kind = KINDS[columns.kind[item] ?? -1];
  const origin = ORIGINS[columns.origin[item] ?? -1];
  if (kind === "overhead" || origin === "overhead") return "overhead";
  if (kind === "tool_call") return "call";
  if (kind === "tool_result") return ((columns.flags[item] ?? 0) & FLAG.ERROR) === 0 ? "result" : "failedResult";
  if (kind === "image") return "image";
  if (origin === "summary") return "summary";
  if (kind === "thinking") return "thinking";
  if (origin === "context") return "context";
  const role = ROLES[columns.role[item] ?? -1];
  return role ?? "context";
}
