import Link from "next/link";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";
import type { PaletteEntry } from "./entries";

interface PaletteOptionProps {
  readonly entry: PaletteEntry;
  readonly id: string;
  readonly isSelected: boolean;
  /** Called once it has led to its address, or done what it does. */
  readonly onDone: () => void;
}

/** One line of the palette. */
export function PaletteOption({ entry, id, isSelected, onDone }: PaletteOptionProps) {
  const t = useTranslations("common.palette");
  const { action, group, title, hint, shortcut, isCurrent } = entry;
  const option = {
    id,
    role: "option",
    tabIndex: -1,
    "aria-selected": isSelected,
    "data-entry": entry.id,
    className: cn(
      "flex min-h-8 w-full items-center gap-3 rounded-sm px-3 text-left hover:bg-sunk touch:min-h-10",
      isSelected && "bg-sunk dark:bg-line",
    ),
  } as const;
  // The quietest ink is too pale on a selected line.
  const quiet = isSelected ? "text-t2" : "text-t3";
  const content = (
    <>
      <span className={cn("w-16 shrink-0 text-xs", quiet)}>{t(`group.${group}`)}</span>
      <span className="min-w-0 truncate">{title}</span>
      {hint !== undefined && <span className={cn("min-w-0 shrink truncate text-sm max-md:hidden", quiet)}>{hint}</span>}
      <span className="grow" />
      {isCurrent === true && <span className="shrink-0 text-xs text-t2">{t("current")}</span>}
      {shortcut !== undefined && <Kbd className="max-md:hidden">{shortcut}</Kbd>}
    </>
  );
  if (typeof action !== "function") {
    return (
      <Link href={action.href} prefetch={false} onClick={onDone} {...option}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      onClick={() => {
        onDone();
        action();
      }}
      {...option}
    >
      {content}
    </button>
  );
}
