"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { BoundaryIcon } from "./item-icon";

interface BoundaryRowProps {
  readonly kind: "recorded" | "simulated";
  readonly policy: string;
  readonly compaction: SimulatedCompaction;
  readonly onDetails: () => void;
}

/** A compaction in its place in the transcript: a rule on top, ink or accent, and what it did. */
export function BoundaryRow({ kind, policy, compaction, onDetails }: BoundaryRowProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const simulated = kind === "simulated";
  return (
    <div
      data-inline-boundary={kind}
      className={cn(
        "flex min-h-9 flex-wrap items-center gap-x-3 border-t bg-panel py-1 pr-4 pl-6",
        simulated ? "border-dashed border-accent" : "border-t1",
      )}
    >
      <BoundaryIcon className={cn("size-3.5", simulated ? "text-accent" : "text-t1")} />
      <span className={cn("font-semibold", simulated && "text-accent")}>
        {simulated ? t("simulatedBy", { policy }) : t("recorded")}
      </span>
      <span className="text-sm text-t2">
        {t("at", { trigger: t(`trigger.${compaction.trigger}`), request: compaction.request })}
      </span>
      <span className="text-sm">
        {format.count(compaction.tokensBefore)} → {format.count(compaction.tokensAfter)}
      </span>
      <span className="grow text-sm text-t2">
        {t("droppedShort", { dropped: format.count(compaction.droppedItems) })}
      </span>
      <Button variant="ghost" onClick={onDetails}>
        {t("details")}
      </Button>
    </div>
  );
}
