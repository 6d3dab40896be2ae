"use client";

import { Check, ChevronDown, Database, FileText, TriangleAlert } from "lucide-react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { SourceEntry, SourcesAnswer } from "@/lib/api/types";
import { IndexAgain } from "./index-again";
import { hasProblems, SourceProblems } from "./source-problems";

/** How many sources the bar names; the list behind it has the rest. */
const NAMED = 5;

/** The program's own folders. While they are empty they are not worth mentioning. */
const OWN = new Set(["samples", "uploads"]);

function isEmptyOwn({ id, sessions }: SourceEntry): boolean {
  return OWN.has(id) && sessions === 0;
}

/** The searched folders that do not exist. */
export function missingSources(sources: readonly SourceEntry[]): SourceEntry[] {
  // One that should be there is told among the problems.
  return sources.filter((source) => !source.found && !OWN.has(source.id) && source.problemsTotal === 0);
}

interface SourceBarProps {
  readonly found: SourcesAnswer | undefined;
  readonly failed: boolean;
  readonly onChoose: () => void;
}

/** Where transcripts come from: a hint to drop files, and the folders that were searched. */
export function SourceBar({ found, failed, onChoose }: SourceBarProps) {
  const t = useTranslations("sessions");
  return (
    <div className="flex min-h-12 items-center gap-3 border-b border-line bg-panel px-4 py-1">
      <FileText aria-hidden className="size-4 shrink-0 max-lg:hidden" />
      <span className="whitespace-nowrap max-sm:hidden">{t("drop.hint")}</span>
      <Button onClick={onChoose}>{t("drop.choose")}</Button>
      <div className="grow" />
      {failed && <span className="text-sm text-t3">{t("sources.unavailable")}</span>}
      {found?.prices?.problem != null && <PricesProblem problem={found.prices.problem} />}
      {found !== undefined && <Sources {...found} />}
    </div>
  );
}

function Sources({ sources, prices }: SourcesAnswer) {
  const t = useTranslations("sessions.sources");
  const format = useFormat();
  const found = sources.filter((source) => source.found && source.store === null && !isEmptyOwn(source));
  const more = found.length - NAMED;
  return (
    <>
      <Popover>
        <PopoverTrigger asChild>
          <Button variant="ghost">
            {t("label")}
            <span className="xl:hidden">{format.count(found.length)}</span>
            {hasProblems(sources) && (
              <>
                <TriangleAlert aria-hidden className="text-danger" />
                <span className="sr-only">{t("hasProblems")}</span>
              </>
            )}
            <ChevronDown aria-hidden />
          </Button>
        </PopoverTrigger>
        {/* Nothing inside takes the focus, so the region itself does: the keyboard can then scroll it. */}
        <PopoverContent align="end" aria-label={t("label")} tabIndex={0} className="w-96 p-2">
          <SourceList sources={sources} />
          <IndexAgain />
          {prices !== null && <OwnPrices {...prices} />}
        </PopoverContent>
      </Popover>
      <ul className="flex min-w-0 items-center gap-3 max-xl:hidden">
        {found.slice(0, NAMED).map((source) => (
          <li key={source.id} className="flex items-center gap-1.5 text-sm whitespace-nowrap" title={source.path}>
            <Check aria-hidden className="size-3 text-t2" />
            <SourceLabel source={source} />
            <span className="text-t3">{format.count(source.sessions)}</span>
          </li>
        ))}
        {more > 0 && <li className="text-sm text-t3">{t("more", { count: more })}</li>}
      </ul>
    </>
  );
}

/**
 * Says that the user's own list of prices is faulty. It stands in the bar, where it is seen: the figures rest on other prices
 * than the user meant.
 */
function PricesProblem({ problem }: { readonly problem: string }) {
  const t = useTranslations("sessions.sources.prices");
  return (
    <span className="min-w-0 text-sm text-danger" role="status" data-testid="prices-problem">
      {t("problem", { problem })}
    </span>
  );
}

/** Whether the user's own list of prices is in force. */
function OwnPrices({ name, problem }: NonNullable<SourcesAnswer["prices"]>) {
  const t = useTranslations("sessions.sources.prices");
  return (
    <section className="mt-2 border-t border-line px-1 pt-2 text-sm" data-testid="own-prices">
      <h2 className="text-xs text-t3">{t("own")}</h2>
      <code>{name}</code>{" "}
      <span className={problem === null ? "text-t2" : "text-danger"}>
        {problem === null ? t("inForce") : t("problem", { problem })}
      </span>
    </section>
  );
}

/** Every folder that was searched, found or not. */
function SourceList({ sources }: { readonly sources: readonly SourceEntry[] }) {
  const t = useTranslations("sessions.sources");
  const missing = missingSources(sources);
  return (
    <>
      <ul>
        {sources
          .filter((source) => source.found && source.store === null && !isEmptyOwn(source))
          .map((source) => (
            <li key={source.id} className="flex items-start gap-2 px-1 py-1 text-sm">
              <Check aria-hidden className="mt-0.5 size-3 shrink-0 text-t2" />
              <SourceName source={source} />
              <span className="grow text-right whitespace-nowrap text-t2">
                {t("sessions", { count: source.sessions })}
              </span>
            </li>
          ))}
      </ul>
      <SourceProblems sources={sources} />
      <Stores sources={sources} />
      {missing.length > 0 && (
        <>
          <h2 className="mt-2 border-t border-line px-1 pt-2 text-xs text-t3">{t("notFoundHeading")}</h2>
          <div className="px-1">
            <SourcePaths sources={missing} />
          </div>
        </>
      )}
    </>
  );
}

/** Stores of sessions that are not read here, and how to export a session from each. */
function Stores({ sources }: { readonly sources: readonly SourceEntry[] }) {
  const t = useTranslations("sessions.sources");
  const stores = sources.filter((source) => source.store !== null);
  if (stores.length === 0) return null;
  return (
    <section aria-labelledby="session-stores" className="mt-2 border-t border-line px-1 pt-2">
      <h2 id="session-stores" className="text-xs text-t3">
        {t("stores")}
      </h2>
      <ul>
        {stores.map((source) => (
          <li key={source.id} className="flex items-start gap-2 py-1 text-sm">
            <Database aria-hidden className="mt-0.5 size-3 shrink-0 text-t2" />
            <span className="min-w-0">
              <SourceName source={source} />
              {source.store?.exportCommand != null && (
                <span className="mt-0.5 block text-xs text-t2">
                  {t("export")} <code className="break-all text-t1">{source.store.exportCommand}</code>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A source's name; paths are set in monospace. */
function SourceLabel({ source: { id, label } }: { readonly source: SourceEntry }) {
  const t = useTranslations("sessions.sources");
  if (id === "samples" || id === "uploads") return <span className="block truncate">{t(id)}</span>;
  if (!/[\\/]/u.test(label)) return <span className="block truncate">{label}</span>;
  return <code className="block max-w-48 truncate tracking-tight">{label}</code>;
}

function SourceName({ source }: { readonly source: SourceEntry }) {
  return (
    <span className="min-w-0">
      <SourceLabel source={source} />
      {source.path !== source.label && <code className="block text-xs break-all text-t3">{source.path}</code>}
    </span>
  );
}

export function SourcePaths({ sources }: { readonly sources: readonly SourceEntry[] }) {
  return (
    <ul>
      {sources.map((source) => (
        <li key={source.id} className="py-0.5 text-sm text-t2">
          <code className="break-all">{source.path}</code>
        </li>
      ))}
    </ul>
  );
}
