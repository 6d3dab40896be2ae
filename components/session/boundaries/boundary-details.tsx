import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Term } from "@/components/glossary/term";
import { cn } from "@/components/ui/cn";
import { isRewrittenByReads } from "@/lib/core/compaction/policies/recorded-rewritten";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { useSession } from "../state/session-data";
import { BoundaryCostSentence } from "./boundary-cost";
import { BoundaryFacts } from "./boundary-facts";
import { BoundaryHeading } from "./boundary-heading";
import type { BoundaryEntry } from "./entries";
import { Fidelity } from "./fidelity";
import { DroppedItems } from "./items/dropped-items";
import { FateStrip } from "./items/fate-strip";
import { ItemTable } from "./items/item-table";
import { useBoundaryItems } from "./items/use-boundary-items";
import { NeededAgain } from "./needed-again";
import { RealSummary } from "./real-summary/real-summary";
import { changeShare, sizeAfter } from "./sizes/size-after";
import { SumTable } from "./sizes/sum-table";
import { BoundaryTexts } from "./texts/boundary-texts";
import { isLongSummary, RecordedSummary } from "./texts/recorded-summary";

interface BoundaryDetailsProps {
  readonly entry: BoundaryEntry;
  readonly policy: string;
}

/** One boundary: what it did to every block of the context, its texts, and every item. */
export function BoundaryDetails({ entry, policy }: BoundaryDetailsProps) {
  const { compaction } = entry;
  const items = useBoundaryItems(entry);
  const simulated = entry.kind === "simulated";
  const { columns } = useSession();
  // A summary to read stands beside what was needed again, and the lists of what it replaced.
  const isBeside = !simulated && isLongSummary(items, columns);
  const needed = <NeededAgain key={`needs ${entry.key}`} entry={entry} />;
  return (
    <section aria-live="polite" className="min-w-0 px-4 py-4 lg:overflow-y-auto lg:px-8" data-testid="boundary-details">
      <BoundaryHeading entry={entry} policy={policy} />
      <BasisLine compaction={compaction} />
      <div className="gap-x-8 xl:grid xl:grid-cols-2">
        <SumTable entry={entry} items={items} />
        <div className="max-w-140 xl:pt-1">
          <Figures entry={entry} />
          <BoundaryCostSentence entry={entry} />
        </div>
      </div>
      <FateStrip entry={entry} items={items} />
      {simulated && <BoundaryFacts entry={entry} />}
      <div className={cn(isBeside && "gap-x-8 xl:grid xl:grid-cols-2")}>
        {!simulated && <RecordedSummary items={items} />}
        <div className="min-w-0">
          {isBeside && needed}
          <DroppedItems items={items} />
        </div>
      </div>
      {!isBeside && needed}
      <RealSummary key={`summary ${entry.key}`} entry={entry} />
      {!simulated && <Fidelity entry={entry} />}
      <BoundaryTexts key={entry.key} entry={entry} />
      <ItemTable entry={entry} items={items} />
    </section>
  );
}

/**
 * Says by one count what the boundary did. Needed where recorded usage covers the context before the boundary only, so that
 * before and after rest on different counts.
 */
function BasisLine({ compaction }: { readonly compaction: SimulatedCompaction }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { columns } = useSession();
  const before = comparableBefore(compaction);
  const after = sizeAfter(compaction, columns);
  const change = changeShare(before, after);
  if (before === compaction.tokensBefore || after === null || change === null) return null;
  return (
    <p className="mt-2 max-w-180 text-sm text-t2" data-testid="basis-change">
      {t("basisChange", {
        recorded: format.count(compaction.tokensBefore),
        before: format.count(before),
        after: format.count(after),
        change: format.change(change, 1),
      })}
    </p>
  );
}

/** Columns that span the strip below them, each as wide as its figure needs. */
const FIGURE = "grow border-l border-line pr-6 pl-3 whitespace-nowrap first:border-l-0 first:pl-0";

/** What was sent anew behind the boundary, and the size of its summary. */
function Figures({ entry }: { readonly entry: BoundaryEntry }) {
  const t = useTranslations("session.boundary");
  const { compaction, kind } = entry;
  const { columns } = useSession();
  const isRead = kind === "recorded" && isRewrittenByReads(columns);
  const isSent = sizeAfter(compaction, columns) !== null;
  return (
    <dl className="mt-4 flex max-w-140 flex-wrap gap-y-3">
      <TokenFigure
        id="rewritten"
        name={t("rewritten")}
        note={t(isRead ? "rewrittenReadNote" : "rewrittenNote")}
        tokens={isSent ? compaction.rewritten : null}
      />
      <TokenFigure
        id="summary"
        name={t("summarySize")}
        tokens={compaction.summaryTokens > 0 ? compaction.summaryTokens : null}
      />
    </dl>
  );
}

interface TokenFigureProps {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  /** `null` where there is none. */
  readonly tokens: number | null;
}

function TokenFigure({ id, name, note, tokens }: TokenFigureProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  return (
    <div className={FIGURE}>
      <dt className="text-sm text-t2" title={note}>
        {id === "rewritten" ? <Term id="rewritten">{name}</Term> : name}
      </dt>
      <dd data-figure={id}>
        <Value className="text-xl font-semibold">{tokens === null ? null : format.count(tokens)}</Value>{" "}
        {tokens !== null && <span className="ml-0.5 text-sm text-t2">{t("tokens")}</span>}
      </dd>
    </div>
  );
}
