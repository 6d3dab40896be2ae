import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { BoundaryKind } from "../boundaries/kinds";
import { sizeAfter } from "../boundaries/sizes/size-after";
import { useSession } from "../state/session-data";
import { BoundaryIcon } from "./item-icon";

interface BoundaryRowProps {
  readonly kind: "recorded" | "simulated";
  readonly what: BoundaryKind;
  readonly policy: string;
  readonly compaction: SimulatedCompaction;
  readonly onDetails: () => void;
}

/**
 * A boundary at its place in the transcript: a rule on top, in ink or accent, and what the boundary did. Boundaries other than
 * compactions get a quieter line.
 */
export function BoundaryRow({ kind, what, policy, compaction, onDetails }: BoundaryRowProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const simulated = kind === "simulated";
  const major = what === "compaction";
  const { columns } = useSession();
  const { request, tokensBefore } = compaction;
  const after = sizeAfter(compaction, columns);
  const before = comparableBefore(compaction);
  const at = major ? t("at", { trigger: t(`trigger.${compaction.trigger}`), request }) : t("atRequest", { request });
  return (
    <div
      data-inline-boundary={kind}
      className={cn(
        "flex flex-wrap items-center gap-x-3 border-t pr-4 pl-6",
        major ? "min-h-9 bg-panel py-1" : "min-h-7 text-sm",
        simulated ? "border-dashed border-accent" : "border-t1",
      )}
    >
      <BoundaryIcon className={cn("size-3.5", simulated ? "text-accent" : "text-t1")} />
      <span className={cn(major && "font-semibold", simulated && "text-accent")}>
        {simulated ? t(`would.${what}`, { policy }) : t("recorded")}
      </span>
      <span className="text-sm text-t2">{at}</span>
      <span className="text-sm">
        {format.count(tokensBefore)} → <Value>{after === null ? null : format.count(after)}</Value>
      </span>
      {before !== tokensBefore && after !== null && (
        <span className="text-sm text-t2">
          {t("sameCount", { before: format.count(before), after: format.count(after) })}
        </span>
      )}
      <span className="grow text-sm text-t2">
        <Changed compaction={compaction} />
      </span>
      <Button variant="ghost" onClick={onDetails}>
        {t("details")}
      </Button>
    </div>
  );
}

/** How many items it removed, or how many results it made smaller. */
function Changed({ compaction }: { readonly compaction: SimulatedCompaction }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { droppedItems } = compaction;
  if (droppedItems > 0) return t("droppedShort", { dropped: format.count(droppedItems) });
  const count = compaction.cleared.length + compaction.truncated.length;
  return count > 0 ? t("changedShort", { count }) : null;
}
