import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { predictorVerdict } from "@/lib/core/refetch/verdict";
import type { LedgerAnswer, LedgerBoundaryWire } from "@/lib/queries/contract/types";
import { useRecordedLedger } from "../shared/state/use-ledger";

/** Reliability of the re-fetch rule for simulated boundaries, and how much of the re-fetched content the session's summaries name. */
export function RefetchScore() {
  const t = useTranslations("session.ledger.score");
  const { data } = useRecordedLedger();
  // The rule is checked against recorded compactions.
  if (data === undefined || data.needs === null || data.needs.length === 0 || data.predictor === null) return null;
  return (
    <section aria-labelledby="needs-score" className="mt-8" data-testid="needs-score">
      <h2 id="needs-score" className="text-lg font-semibold">
        {t("title")}
      </h2>
      <Predictor score={data.predictor} />
      <Summaries boundaries={data.needs} />
      <p className="mt-2 max-w-180 text-sm text-t2">{t("note")}</p>
    </section>
  );
}

function Predictor({ score }: { readonly score: NonNullable<LedgerAnswer["predictor"]> }) {
  const t = useTranslations("session.ledger");
  const format = useFormat();
  const { right: confirmed, foreseen: predicted, bought: refetched, foreseenBought: refetchedPredicted } = score;
  const { precision, recall } = score;
  const share = (value: number | null) => (value === null ? "n/a" : format.percent(value));
  return (
    <>
      <p className="mt-1 max-w-180 font-semibold" data-verdict={predictorVerdict(score)}>
        {t(`score.${predictorVerdict(score)}`, { precision: share(precision), recall: share(recall) })}
      </p>
      <p className="mt-1 max-w-180 text-t2">
        {t("predictor", { confirmed, predicted, refetchedPredicted, refetched })}
      </p>
      <p className="mt-1 max-w-180 text-t2">
        {t("score.tokens", {
          predicted: format.count(score.foreseenTokens),
          refetched: format.count(score.boughtTokens),
        })}
      </p>
    </>
  );
}

function Summaries({ boundaries }: { readonly boundaries: NonNullable<LedgerAnswer["needs"]> }) {
  const t = useTranslations("session.ledger");
  const totals = summaryTotals(boundaries);
  if (totals === undefined) return <p className="mt-3 max-w-180 text-t2">{t("summaryUnread")}</p>;
  return (
    <div className="mt-3 max-w-180 text-t2">
      <p>{t("summaryPaths", { ...totals.paths })}</p>
      <p>{t("summaryNames", { ...totals.names })}</p>
    </div>
  );
}

type Summary = NonNullable<LedgerBoundaryWire["summary"]>;
type Named = Summary["paths"];

/** The share of re-fetched content that the session's summaries name; `undefined` if the file holds the text of no summary. */
export function summaryTotals(boundaries: readonly Pick<LedgerBoundaryWire, "summary">[]): Summary | undefined {
  const [first, ...others] = boundaries.flatMap(({ summary }) => summary ?? []);
  if (first === undefined) return undefined;
  return others.reduce((a, b) => ({ paths: sum(a.paths, b.paths), names: sum(a.names, b.names) }), first);
}

function sum(a: Named, b: Named): Named {
  return {
    needed: a.needed + b.needed,
    neededNamed: a.neededNamed + b.neededNamed,
    named: a.named + b.named,
    namedUsed: a.namedUsed + b.namedUsed,
  };
}
