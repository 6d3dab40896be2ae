import {
  Bot,
  Brain,
  FilePen,
  FileText,
  Globe,
  Image,
  Info,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestion,
  Plug,
  Search,
  Settings2,
  Terminal,
  TriangleAlert,
  User,
  Users,
  Wrench,
} from "lucide-react";
import { type ToolKind, toolKind } from "@/lib/agents/shared/tool-kinds";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import { type ItemWord, itemWord } from "@/lib/core/columns/item-filter";
import { categoryOfCode } from "@/lib/core/context/breakdown";

/** Label of an item in lists. `tool` and `file` are names from the file; the other parts are words of this page. */
export interface ItemLabel {
  readonly word: ItemWord;
  readonly tool: string | undefined;
  readonly file: string | undefined;
  /** Category of the columns, for overhead rows. */
  readonly category: string;
  /** True if its size is an estimate because the file holds neither its text nor its length. */
  readonly masked: boolean;
}

/** The label of an item, made from the columns without loading any text. */
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
  call: Wrench,
  result: FileText,
  failedResult: TriangleAlert,
  image: Image,
  context: Info,
  system: Settings2,
};

const TOOL_ICONS: Readonly<Record<ToolKind, LucideIcon>> = {
  shell: Terminal,
  edit: FilePen,
  read: FileText,
  search: Search,
  web: Globe,
  tasks: ListTodo,
  question: MessageCircleQuestion,
  plan: ListTodo,
  subagent: Users,
  skill: Wrench,
  mcp: Plug,
  other: Wrench,
};

/** The icon of an item's kind, or of a call's tool; the word is next to it. */
export function ItemIcon({ word, tool }: Pick<ItemLabel, "word"> & Partial<Pick<ItemLabel, "tool">>) {
  if (word === "summary") return <BoundaryIcon className="size-3.5 text-t2" />;
  const Icon = word === "call" && tool !== undefined ? TOOL_ICONS[toolKind(tool)] : ICONS[word];
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
