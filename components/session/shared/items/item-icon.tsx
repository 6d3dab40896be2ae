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
import type { ItemLabel } from "./item-label";

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

/** The icon of an item's kind; the kind's word stands beside it. */
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
