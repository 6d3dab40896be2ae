"use client";

import { useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";
import { Progress } from "@/components/ui/progress";
import { type AllSessions, type Indexing, indexingSpeed, isIndexing } from "./all-sessions";

/** The quiet bar at the foot: work in progress, the keys, and where the data stays. */
export function StatusBar({ all }: { readonly all: AllSessions | undefined }) {
  const t = useTranslations("sessions.status");
  const format = useFormat();
  const local = useSyncExternalStore(never, isLoopback, () => true);
  const busy = all !== undefined && (isIndexing(all.indexing) || all.sessions.length < all.total);
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 border-t border-line px-4 text-sm text-t2">
      {all !== undefined && isIndexing(all.indexing) && <IndexingProgress indexing={all.indexing} />}
      {all !== undefined && all.sessions.length < all.total && (
        <span className="truncate">
          {t("pages", { loaded: format.count(all.sessions.length), total: format.count(all.total) })}
        </span>
      )}
      <span className="grow" />
      <span className="flex items-center gap-2 text-t3 max-lg:hidden">
        {t("open")}
        <Kbd>↵</Kbd>
      </span>
      <span className="flex items-center gap-1 text-t3 max-lg:hidden">
        <span className="pr-1">{t("move")}</span>
        <Kbd>j</Kbd>
        <Kbd>k</Kbd>
      </span>
      {local && <span className={cn("truncate text-t3", busy && "max-sm:hidden")}>{t("local")}</span>}
    </footer>
  );
}

const never = () => () => undefined;

/** Whether this very machine serves the page: only then does no data leave it. */
function isLoopback(): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/u.test(window.location.hostname);
}

function IndexingProgress({ indexing }: { readonly indexing: Indexing }) {
  const t = useTranslations("sessions.status");
  const format = useFormat();
  const speed = indexingSpeed(indexing);
  const text = t("indexing", { done: format.count(indexing.done), total: indexing.total });
  return (
    <>
      <Progress value={indexing.done} max={indexing.total} label={text} valueText={text} className="max-sm:w-12" />
      <span className="whitespace-nowrap">{text}</span>
      {speed !== null && (
        <span className="whitespace-nowrap text-t3 max-sm:hidden">
          {t("speed", {
            rate: format.count(Math.max(1, Math.round(speed.perSecond))),
            left: format.duration(speed.secondsLeft * 1000),
          })}
        </span>
      )}
    </>
  );
}
