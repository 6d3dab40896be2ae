import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { type BoundaryKind, boundaryKind, sizeAfter } from "../shared/boundaries/entries";
import { BoundaryIcon } from "../shared/items/item-label";
import { useReplay, useSession, useViewActions } from "../shared/state/stores";

interface BoundaryProps {
  readonly kind: "recorded" | "simulated";
  readonly compaction: SimulatedCompaction;
}

/** A recorded or a simulated boundary. */
export function Boundary({ kind, compaction }: BoundaryProps) {
  const words = usePolicyWords();
  const { policy } = useReplay(({ chosen }) => chosen);
  const { openRequest } = useViewActions();
  return (
    <BoundaryRow
      kind={kind}
      compaction={compaction}
      what={boundaryKind(compaction, kind === "recorded" ? {} : policy)}
      policy={words.policy(policy)}
      onDetails={() => openRequest(compaction.request, "boundaries")}
    />
  );
}

interface BoundaryRowProps {
  readonly kind: "recorded" | "simulated";
  readonly what: BoundaryKind;
  readonly policy: string;
  readonly compaction: SimulatedCompaction;
  readonly onDetails: () => void;
}

/**
 * A boundary at its place in the transcript: a rule on top, in ink or accent, and its effect. Boundaries other than compactions
 * get a quieter line.
 */
function BoundaryRow({ kind, what, policy, compaction, onDetails }: BoundaryRowProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const simulated = kind === "simulated";
  const major = what === "compaction";
  const { columns } = useSession("columns");
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

/** Number of dropped items; without any, the number of cleared or truncated results. */
function Changed({ compaction }: { readonly compaction: SimulatedCompaction }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { droppedItems } = compaction;
  if (droppedItems > 0) return t("droppedShort", { dropped: format.count(droppedItems) });
  const count = compaction.cleared.length + compaction.truncated.length;
  return count > 0 ? t("changedShort", { count }) : null;
}
