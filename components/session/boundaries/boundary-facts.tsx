import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import type { SyntheticItem } from "@/lib/core/compaction/policy";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { BoundaryEntry } from "../shared/boundaries/entries";
import { boundaryFlags } from "../shared/boundaries/flags";
import { useRecorded } from "../shared/state/recorded-data";
import { useReplay } from "../shared/state/replay-data";
import { useAddedLabel } from "./items/added-label";
import { summarySizeOf } from "./summary-size";

/** What a simulated boundary did, in words. */
export function BoundaryFacts({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { compaction } = entry;
  const labelOf = useAddedLabel();
  const summarised = useSummaryWords(compaction);
  // Not a compaction, but a turn that comes before one.
  const isTurn = entry.what === "flush";
  // The line about the summary already states its size.
  const isNews = ({ tokens, category }: SyntheticItem) =>
    !(compaction.outcome === "summary" && category === "summaries" && tokens === compaction.summaryTokens);
  const facts = [
    isTurn ? t("turnOnly") : compaction.outcome === "summary" ? summarised : t(`outcome.${compaction.outcome}`),
    ...compaction.added
      .filter(isNews)
      .map((item) => t("added", { label: labelOf(item), tokens: format.count(item.tokens) })),
    ...(compaction.summaryCallTokens > 0
      ? [t(isTurn ? "turnCall" : "summaryCall", { tokens: format.count(compaction.summaryCallTokens) })]
      : []),
    ...(compaction.entering === undefined || compaction.entering === 0
      ? []
      : [t("entering", { count: compaction.entering })]),
    ...(compaction.transient === true ? [t("transient")] : []),
    ...boundaryFlags(entry.what, compaction).map((flag) => t(flag)),
  ];
  return (
    <ul className="mt-4 list-disc pl-4 text-t2">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** Says that a summary replaces what went, and where its size comes from. */
function useSummaryWords(compaction: SimulatedCompaction): string {
  const t = useTranslations("session.boundary.summaryOf");
  const format = useFormat();
  const { choice } = useReplay();
  const { recorded } = useRecorded();
  // The recorded summaries that the mean is taken over, where the size is their mean.
  const count = recorded.compactions.filter(({ summaryTokens }) => summaryTokens > 0).length;
  return t(summarySizeOf(compaction, choice), { tokens: format.count(compaction.summaryTokens), count });
}
