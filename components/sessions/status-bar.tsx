"use client";

import { useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";
import { Progress } from "@/components/ui/progress";
import { steerIndexing } from "@/lib/api/client";
import type { IndexingEvent } from "@/lib/api/types";
import { isIndexing } from "./all-sessions";

/** The quiet bar at the foot: work in progress, the keys, and where the data stays. */
export function StatusBar({ indexing }: { readonly indexing: IndexingEvent | undefined }) {
  const t = useTranslations("sessions.status");
  const local = useSyncExternalStore(never, isLoopback, () => true);
  const busy = indexing !== undefined && isIndexing(indexing);
  return (
    <footer className="flex h-7 shrink-0 items-center gap-4 border-t border-line px-4 text-sm text-t2">
      {busy && <IndexingProgress indexing={indexing} />}
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
      <span className="flex items-center gap-2 text-t3 max-lg:hidden">
        {t("select")}
        <Kbd>x</Kbd>
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

function IndexingProgress({ indexing }: { readonly indexing: IndexingEvent }) {
  const t = useTranslations("sessions.status");
  const format = useFormat();
  const { done, total, bytesDone, bytesTotal, bytesPerSecond, secondsLeft, stopped } = indexing;
  const text = t(stopped ? "stopped" : "indexing", { done: format.count(done), total });
  const bytes = t("bytes", { done: format.bytes(bytesDone), total: format.bytes(bytesTotal) });
  return (
    <>
      <Progress
        value={bytesDone}
        max={bytesTotal}
        label={text}
        valueText={`${text}, ${bytes}`}
        className="max-sm:w-12"
      />
      <span className="whitespace-nowrap">{text}</span>
      <span className="whitespace-nowrap text-t3 max-md:hidden">{bytes}</span>
      {bytesPerSecond !== null && secondsLeft !== null && !stopped && (
        <span className="whitespace-nowrap text-t3 max-sm:hidden">
          {t("speed", { rate: format.bytes(bytesPerSecond), left: format.duration(Math.ceil(secondsLeft) * 1000) })}
        </span>
      )}
      <button
        type="button"
        onClick={() => void steerIndexing(stopped ? "resume" : "stop").catch(() => undefined)}
        className="font-medium text-t1 underline-offset-2 hover:underline"
      >
        {t(stopped ? "resume" : "stop")}
      </button>
    </>
  );
}
