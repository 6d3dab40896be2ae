"use client";

import { useTranslations } from "use-intl";
import { Skeleton } from "@/components/ui/status";
import { hasPanel, tabOf } from "./shared/state/tabs";

interface SessionSkeletonProps {
  /** The tab as the address states it. */
  readonly tab: string | null;
  /** True if the session's facts are known, so that its header is shown already. */
  readonly isKnown?: boolean;
}

/**
 * Reserves the space of the coming content at its final size. It imports nothing of the page's state: the page that Next shows while the
 * session's code loads contains a copy of whatever this file imports.
 */
export function SessionSkeleton({ tab: stated, isKnown = false }: SessionSkeletonProps) {
  const t = useTranslations("session");
  const tab = tabOf(stated);
  return (
    <>
      {!isKnown && <HeaderSkeleton />}
      <div role="status" aria-label={t("loading")} data-testid="session-skeleton" className="flex grow flex-col">
        <div className="h-10 border-b border-line" />
        <div className="min-h-0 grow lg:flex">
          <div className="min-w-0 grow">{tab === "timeline" ? <TimelineSkeleton /> : <TabRows />}</div>
          {hasPanel(tab) && (
            <div className="w-90 shrink-0 border-l border-line p-4 max-lg:hidden">
              <div className="flex flex-col gap-4">
                {["policy", "estimator", "window", "trigger", "keep", "summary"].map((id) => (
                  <Skeleton key={id} className="h-8" />
                ))}
              </div>
            </div>
          )}
        </div>
      </div>
    </>
  );
}

function TimelineSkeleton() {
  return (
    <>
      <div className="flex h-8 items-center px-4">
        <Skeleton className="h-3 w-2/3" />
      </div>
      <AxisSkeleton />
      <div className="h-[66px]" />
      <RowsSkeleton />
    </>
  );
}

function HeaderSkeleton() {
  return (
    <div className="px-4 pt-3 pb-1">
      <div className="flex h-6 items-center">
        <Skeleton className="h-4 w-80 max-w-full" />
      </div>
      <div className="flex h-4 items-center max-md:h-10">
        <Skeleton className="h-3 w-120 max-w-full" />
      </div>
    </div>
  );
}

function AxisSkeleton() {
  return (
    <div aria-hidden className="relative h-[clamp(220px,40dvh,640px)]">
      <div className="absolute inset-y-11 right-3 left-13 bottom-6.5 flex flex-col justify-between">
        {["top", "high", "middle", "low", "axis"].map((id) => (
          <div key={id} className="h-px bg-line" />
        ))}
      </div>
    </div>
  );
}

function RowsSkeleton() {
  return (
    <div aria-hidden className="border-t border-line pt-9">
      {["a", "b", "c", "d", "e", "f"].map((id) => (
        <div key={id} className="flex h-7 items-center px-6">
          <Skeleton className="h-3 w-3/4" />
        </div>
      ))}
    </div>
  );
}

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Fills the place of a tab whose code is still loading. */
export function TabSkeleton() {
  const t = useTranslations("session");
  return (
    <div role="status" aria-label={t("loading")}>
      <TabRows />
    </div>
  );
}

/** Rows in place of any tab. */
function TabRows() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-11" />
      <Skeleton className="h-7 w-96 max-w-full" />
      {ROWS.map((row) => (
        <Skeleton key={row} className="h-5" />
      ))}
    </div>
  );
}
