import {
  Bot,
  Brain,
  FileText,
  Image,
  Info,
  type LucideIcon,
  Settings2,
  Terminal,
  TriangleAlert,
  User,
} from "lucide-react";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import { type ItemWord, itemWord } from "@/lib/core/columns/item-filter";
import { categoryOfCode } from "@/lib/core/context/breakdown";

/** Label of an item in lists. `tool` and `file` are names from the file; the other parts are our own words. */
export interface ItemLabel {
  readonly word: ItemWord;
  readonly tool: string | undefined;
  readonly file: string | undefined;
  /** Category of the columns, for overhead rows. */
  readonly category: string;
  /** True if its size is an estimate because the file holds neither its text nor its length. */
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

const ICONS: Readonly<Record<Exclude<ItemLabel["word"], "summary">, LucideIcon>> = {
  overhead: Settings2,
  user: User,
  assistant: Bot,
  thinking: Brain,
  call: Terminal,
  result: FileText,
  failedResult: TriangleAlert,
  image: Image,
  context: Info,
  system: Settings2,
};

/** The icon of an item's kind; the kind's word is beside it. */
export function ItemIcon({ word }: { readonly word: ItemLabel["word"] }) {
  if (word === "summary") return <BoundaryIcon className="size-3.5 text-t2" />;
  const Icon = ICONS[word];
  return <Icon aria-hidden className="size-3.5 shrink-0 text-t2" strokeWidth={1.75} />;
}

/** ⟂, the mark of a boundary. */
export function BoundaryIcon({ className }: { readonly className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" className={`shrink-0 ${className}`}>
      <path d="M7 2v10M2 12h10" stroke="currentColor" strokeWidth="1.5" fill="none" strokeLinecap="round" />
    </svg>
  );
}
