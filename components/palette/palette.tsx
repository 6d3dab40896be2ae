import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Dialog, DialogContent, DialogTitle } from "@/components/ui/dialog";
import { neighbour, type PaletteEntry, rankedEntries, selectedEntry } from "./entries";
import type { OpenPaletteProps } from "./palette-key";
import { PaletteOption } from "./palette-option";
import { useGeneralEntries } from "./use-general-entries";
import { useSessionEntries } from "./use-session-entries";

interface PaletteProps extends OpenPaletteProps {
  /** What the page itself offers. */
  readonly entries: readonly PaletteEntry[];
}

/** Everything that can be gone to or done from here, found by typing. The list follows the ARIA pattern of a combobox. */
export function Palette({ entries, onClose }: PaletteProps) {
  const t = useTranslations("common.palette");
  const [query, setQuery] = useState("");
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const general = useGeneralEntries();
  const sessions = useSessionEntries(query);
  // Sessions come last, since they arrive late: nothing that is seen already moves.
  const listed = [...rankedEntries([...entries, ...general], query), ...sessions.entries];
  const selected = selectedEntry(listed, movedTo);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const optionId = (entry: PaletteEntry) => `${id} ${entry.id}`.replaceAll(" ", "-");
  const selectedId = selected?.id;
  useEffect(() => {
    if (selectedId === undefined) return;
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [selectedId]);
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that chooses among the candidates of an input method is none of ours.
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === 1 || by === -1) setMovedTo(neighbour(listed, selected?.id, by)?.id ?? null);
    else if (event.key === "Enter") list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent aria-describedby={undefined} className="top-4 flex translate-y-0 flex-col p-0 md:top-20">
        <DialogTitle className="sr-only">{t("title")}</DialogTitle>
        <input
          role="combobox"
          aria-label={t("title")}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={selected === undefined ? undefined : optionId(selected)}
          autoComplete="off"
          spellCheck={false}
          placeholder={t("placeholder")}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            setMovedTo(null);
          }}
          onKeyDown={onKeyDown}
          className="h-11 shrink-0 border-b border-line bg-transparent pr-12 pl-4 outline-none placeholder:text-t3 touch:text-[16px]"
        />
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={t("title")}
          className="max-h-[min(50dvh,28rem)] overflow-auto p-1"
        >
          {listed.map((entry) => (
            <PaletteOption
              key={entry.id}
              entry={entry}
              id={optionId(entry)}
              isSelected={entry.id === selected?.id}
              onDone={onClose}
            />
          ))}
        </div>
        <p role="status" className="px-4 py-2 text-xs text-t3">
          {sessions.pending ? t("searching") : t("found", { count: listed.length })}
        </p>
      </DialogContent>
    </Dialog>
  );
}
