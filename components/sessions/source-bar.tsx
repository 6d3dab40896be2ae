"use client";

import { Check, ChevronDown, FileText, TriangleAlert } from "lucide-react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { loadedLater } from "@/components/ui/overlay";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { SourcesAnswer } from "@/lib/queries/contract/types";
import { hasProblems, isEmptyOwn, SourceLabel } from "./source-parts";

const list = loadedLater(() => import("./source-list"));

/** Maximum number of named sources; the list that it opens has the rest. */
const NAMED = 5;

interface SourceBarProps {
  readonly found: SourcesAnswer | undefined;
  readonly failed: boolean;
  readonly onChoose: () => void;
}

/** Sources of the transcripts: a hint to drop files, and the searched folders. */
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

function Sources(answer: SourcesAnswer) {
  const t = useTranslations("sessions.sources");
  const format = useFormat();
  const { sources } = answer;
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
        {/* Nothing inside takes the focus, so the region itself does, for scrolling by keyboard. */}
        <PopoverContent align="end" aria-label={t("label")} tabIndex={0} className="w-96 p-2">
          <AllSources {...answer} />
        </PopoverContent>
      </Popover>
      <ul className="flex min-w-0 items-center gap-3 max-xl:hidden">
        {found.slice(0, NAMED).map((source) => (
          <li key={source.id} className="flex items-center gap-1.5 text-sm whitespace-nowrap" title={source.path}>
            <Check aria-hidden className="size-3 text-t2" />
            <SourceLabel source={source} />
            <span className="text-t3">{format.count(source.sessions - source.failedTotal)}</span>
          </li>
        ))}
        {more > 0 && <li className="text-sm text-t3">{t("more", { count: more })}</li>}
      </ul>
    </>
  );
}

/** Rendered when it is opened. */
function AllSources(answer: SourcesAnswer) {
  const module = list.useModule(true);
  return module !== undefined && <module.SourceList {...answer} />;
}

/** Reports an error in the user's own list of prices. It is always visible: the costs use other prices than the user intended. */
function PricesProblem({ problem }: { readonly problem: string }) {
  const t = useTranslations("sessions.sources.prices");
  return (
    <span className="min-w-0 text-sm text-danger" role="status" data-testid="prices-problem">
      {t("problem", { problem })}
    </span>
  );
}
