"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useAddedLabel } from "./added-label";
import type { BoundaryEntry } from "./entries";
import { summarySizeOf } from "./summary-size";

/** What a simulated boundary did, in words. */
export function BoundaryFacts({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { compaction } = entry;
  const labelOf = useAddedLabel();
  const summarised = useSummaryWords(compaction);
  // No compaction, but a turn before one.
  const isTurn = entry.what === "flush";
  const facts = [
    isTurn ? t("turnOnly") : compaction.outcome === "summary" ? summarised : t(`outcome.${compaction.outcome}`),
    ...compaction.added.map((item) => t("added", { label: labelOf(item.label), tokens: format.count(item.tokens) })),
    ...(compaction.summaryCallTokens > 0
      ? [t(isTurn ? "turnCall" : "summaryCall", { tokens: format.count(compaction.summaryCallTokens) })]
      : []),
    ...(compaction.transient === true ? [t("transient")] : []),
    ...(compaction.thrash ? [t("thrash")] : []),
    ...(compaction.shrunk || isTurn ? [] : [t("notShrunk")]),
  ];
  return (
    <ul className="mt-4 list-disc pl-4 text-t2">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** That a summary stands for what went, and where its size comes from. */
function useSummaryWords(compaction: SimulatedCompaction): string {
  const t = useTranslations("session.boundary.summaryOf");
  const format = useFormat();
  const { choice } = useReplay();
  const { recorded } = useRecorded();
  // Those whose mean it is, where it is the mean.
  const count = recorded.compactions.filter(({ summaryTokens }) => summaryTokens > 0).length;
  return t(summarySizeOf(compaction, choice), { tokens: format.count(compaction.summaryTokens), count });
}
