import { createContext, type ReactNode, use, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { BoundaryCost } from "@/lib/core/cost/boundary-cost";
import { paidAfter } from "@/lib/core/cost/break-even";
import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { useMicroUsd, useRecordedBoundaryCosts, useSimulatedBoundaryCosts } from "../../shared/cost/use-cost";

const Costs = createContext<ReadonlyMap<string, BoundaryCost>>(new Map());

/** Computes the cost of every boundary once, for both the list and the details. */
export function BoundaryCostsProvider({ children }: { readonly children: ReactNode }) {
  const recorded = useRecordedBoundaryCosts();
  const simulated = useSimulatedBoundaryCosts();
  const costs = useMemo(() => {
    const keyed = (kind: BoundaryEntry["kind"], of: readonly BoundaryCost[]) =>
      of.map((cost, ordinal) => [`${kind}-${ordinal}`, cost] as const);
    return new Map([...keyed("recorded", recorded), ...keyed("simulated", simulated)]);
  }, [recorded, simulated]);
  return <Costs value={costs}>{children}</Costs>;
}

function useCostOf({ key, what }: BoundaryEntry): BoundaryCost | undefined {
  const cost = use(Costs).get(key);
  return what === "compaction" ? cost : undefined;
}

/** The list's cell: a boundary's cost and the request at which it paid off. Empty if neither is known. */
export function BoundaryCostLine({ entry }: { readonly entry: BoundaryEntry }) {
  const usd = useMicroUsd();
  const paysWords = usePaysWords();
  const cost = useCostOf(entry);
  const amount = cost && usd(sumOf(cost));
  if (cost === undefined || amount === undefined || amount === null) return null;
  return (
    <span className="flex flex-wrap justify-between gap-x-2 text-sm text-t2" data-testid="boundary-cost">
      <span>{amount}</span>
      <span>{paysWords(cost)}</span>
    </span>
  );
}

/** One sentence: a boundary's cost, its parts, and the request at which it paid off. Empty if none is known. */
export function BoundaryCostSentence({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary.cost");
  const usd = useMicroUsd();
  const cost = useCostOf(entry);
  if (cost === undefined || (cost.rewriting === undefined && cost.call === undefined)) return null;
  const lacks = cost.call === undefined ? "withoutCall" : cost.rewriting === undefined ? "withoutMiss" : undefined;
  const { breakEven } = cost;
  const pays =
    breakEven === undefined
      ? t("notKnown")
      : Number.isFinite(breakEven)
        ? t("paidSentence", { count: paidAfter(breakEven) })
        : t("neverSentence");
  return (
    <p className="mt-3" data-testid="boundary-money" title={t("note")}>
      {t.rich(lacks ?? "sentence", {
        usd: usd(sumOf(cost)) ?? "",
        rewriting: usd(cost.rewriting) ?? "",
        call: usd(cost.call) ?? "",
        recorded: String(cost.callIsRecorded),
        // A recorded cache miss has a price for all of its tokens; "Re-sent uncached" leaves new content out.
        withNew: String(entry.kind === "recorded" && (cost.rewriting ?? 0) > 0),
        b: (chunks) => <strong className="font-semibold">{chunks}</strong>,
      })}{" "}
      <span title={t("paysNote")}>{pays}</span>
    </p>
  );
}

function usePaysWords(): (cost: BoundaryCost) => string | null {
  const t = useTranslations("session.boundary.cost");
  return ({ breakEven }) => {
    if (breakEven === undefined) return null;
    return Number.isFinite(breakEven) ? t("paidAfter", { count: paidAfter(breakEven) }) : t("neverPays");
  };
}

function sumOf({ rewriting, call }: BoundaryCost): number | undefined {
  return rewriting === undefined || call === undefined ? undefined : rewriting + call;
}
