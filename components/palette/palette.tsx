import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTheme } from "next-themes";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useTitle } from "@/components/format/use-title";
import { useSettled } from "@/components/hooks/use-settled";
import { Kbd } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Dialog, DialogContent, DialogTitle } from "@/components/ui/dialog";
import { agentName } from "@/lib/agents/agents";
import { isServed, listSessions } from "@/lib/queries/client/client";
import type { OpenPaletteProps } from "./palette-key";

type PaletteGroup = "tab" | "command" | "policy" | "setting" | "page" | "theme" | "session";

/** An entry of the palette: it leads to an address or runs an action. */
export interface PaletteEntry {
  /** Unique within the palette, and stable while the entries change. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly title: string;
  /** Further text, which is searched as well. */
  readonly hint?: string | undefined;
  /** The shortcut of the same action. */
  readonly shortcut?: string;
  /** True if it is active already. */
  readonly isCurrent?: boolean;
  readonly action: { readonly href: string } | (() => void);
}

/** The entries that contain every word of a query, best first; equals keep their order. An empty query changes nothing. */
export function rankedEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteEntry[] {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry, words);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** 0 is best; `undefined` if a word is nowhere. */
function rankOf({ title, hint = "" }: PaletteEntry, words: readonly string[]): number | undefined {
  const [name, more] = [folded(title), folded(hint)];
  if (!words.every((word) => name.includes(word) || more.includes(word))) return undefined;
  if (name.startsWith(words.join(" "))) return 0;
  if (words.every((word) => ` ${name}`.includes(` ${word}`))) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

function folded(text: string): string {
  return text.normalize("NFKC").toLocaleLowerCase();
}

/** The entry that Enter runs: the one that the user moved to while it is listed, even if others arrive later; else the first. */
export function selectedEntry(entries: readonly PaletteEntry[], movedTo: string | null): PaletteEntry | undefined {
  return entries.find(({ id }) => id === movedTo) ?? entries[0];
}

/** The neighbour of an entry; after the last comes the first. */
export function neighbour(entries: readonly PaletteEntry[], id: string | undefined, by: 1 | -1) {
  const at = entries.findIndex((entry) => entry.id === id);
  return entries[(at + by + entries.length) % entries.length];
}

interface PaletteProps extends OpenPaletteProps {
  /** Entries of the page itself. */
  readonly entries: readonly PaletteEntry[];
}

/** All pages and actions that can be reached from here, found by typing. The list follows the ARIA pattern of a combobox. */
export function Palette({ entries, onClose }: PaletteProps) {
  const t = useTranslations("common.palette");
  const [query, setQuery] = useState("");
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const general = useGeneralEntries();
  const sessions = useSessionEntries(query);
  // Sessions come last, since they arrive late: visible entries do not move.
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
    // An input method uses this key to select a candidate.
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

interface PaletteOptionProps {
  readonly entry: PaletteEntry;
  readonly id: string;
  readonly isSelected: boolean;
  /** Called after it has opened its address or run its action. */
  readonly onDone: () => void;
}

function PaletteOption({ entry, id, isSelected, onDone }: PaletteOptionProps) {
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

const PAGES = { sessions: "/", compare: "/compare", insights: "/insights", systems: "/systems" } as const;
const THEMES = ["light", "dark", "system"] as const;

/** Entries of every page: the other pages, and the themes. */
function useGeneralEntries(): readonly PaletteEntry[] {
  const t = useTranslations("common");
  const { theme, setTheme } = useTheme();
  const pages = Object.entries(PAGES).map(([id, href]): PaletteEntry => {
    return { id: `page ${id}`, group: "page", title: t(`nav.${id as keyof typeof PAGES}`), action: { href } }; // A key of PAGES.
  });
  const themes = THEMES.map((id): PaletteEntry => {
    return {
      id: `theme ${id}`,
      group: "theme",
      title: t(`palette.theme.${id}`),
      isCurrent: theme === id,
      action: () => setTheme(id),
    };
  });
  return [...(isServed() ? pages : []), ...themes];
}

/** Maximum number of listed sessions; a link to all others is below them. */
const SESSIONS = 8;
const PAUSE_MS = 120;

/** The sessions that match a query, requested from the server when the typing pauses; without a query the latest ones. */
function useSessionEntries(query: string): {
  readonly entries: readonly PaletteEntry[];
  readonly pending: boolean;
} {
  const t = useTranslations("common.palette");
  const written = useTitle();
  const wanted = query.trim();
  const asked = useSettled(wanted, PAUSE_MS);
  const { data, isFetching } = useQuery({
    queryKey: ["sessions", "palette", asked],
    queryFn: ({ signal }) => listSessions({ limit: SESSIONS, ...(asked !== "" && { q: asked }) }, signal),
    enabled: isServed(),
  });
  // Results of an earlier query are hidden: Enter would open them.
  const found = asked === wanted ? (data?.sessions ?? []) : [];
  const sessions = found.map(({ id, title, name, agent, project }): PaletteEntry => {
    const known = [agentName(agent)?.label, project?.split("/").at(-1)].filter((part) => part !== undefined);
    return {
      id: `session ${id}`,
      group: "session",
      title: written(title ?? name),
      hint: known.join(" · "),
      action: { href: `/sessions/${id}` },
    };
  });
  const all: PaletteEntry = {
    id: "session list",
    group: "session",
    title: t("searchList", { query: wanted }),
    action: { href: `/?${new URLSearchParams({ q: wanted })}` },
  };
  return {
    entries: wanted === "" || !isServed() ? sessions : [...sessions, all],
    pending: isFetching || asked !== wanted,
  };
}
