import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { cn } from "@/components/ui/cn";
import { type BoundaryItem, ITEM_STATES, type ItemState } from "@/lib/core/compaction/boundary-items";
import { isRewrittenByReads } from "@/lib/core/compaction/recorded-rewritten";
import { comparableBefore, type SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import { useSession } from "../state/session-data";
import { BoundaryCostSentence } from "./boundary-cost";
import { BoundaryFacts } from "./boundary-facts";
import { BoundaryHeading } from "./boundary-heading";
import { BoundaryTexts } from "./boundary-texts";
import { DroppedItems } from "./dropped-items";
import type { BoundaryEntry } from "./entries";
import { FateStrip, FateSwatch } from "./fate-strip";
import { fateSums } from "./fates";
import { Fidelity } from "./fidelity";
import { ItemTable } from "./item-table";
import { NeededAgain } from "./needed-again";
import { RealSummary } from "./real-summary/real-summary";
import { isLongSummary, RecordedSummary } from "./recorded-summary";
import { useBoundaryItems } from "./use-boundary-items";

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
  // A summary to read stands beside the lists of what it replaced.
  const isBeside = !simulated && isLongSummary(items, columns);
  return (
    <section aria-live="polite" className="min-w-0 px-4 py-4 lg:overflow-y-auto lg:px-8" data-testid="boundary-details">
      <BoundaryHeading entry={entry} policy={policy} />
      <BasisLine compaction={compaction} />
      <Figures entry={entry} items={items} />
      <BoundaryCostSentence entry={entry} />
      <FateStrip entry={entry} items={items} />
      {simulated && <BoundaryFacts entry={entry} />}
      <div className={cn(isBeside && "gap-x-8 xl:grid xl:grid-cols-2")}>
        {!simulated && <RecordedSummary items={items} />}
        <DroppedItems items={items} />
      </div>
      <NeededAgain key={`needs ${entry.key}`} entry={entry} />
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
  const { tokensAfter } = compaction;
  const before = comparableBefore(compaction);
  if (before === compaction.tokensBefore) return null;
  const change = format.change(before > 0 ? tokensAfter / before - 1 : 0, 1);
  return (
    <p className="mt-2 max-w-180 text-sm text-t2" data-testid="basis-change">
      {t("basisChange", {
        recorded: format.count(compaction.tokensBefore),
        before: format.count(before),
        after: format.count(tokensAfter),
        change,
      })}
    </p>
  );
}

/** Whether something was added whose text cannot be counted: an encrypted summary. */
function isSealed(state: ItemState, { items, tokens }: { readonly items: number; readonly tokens: number }): boolean {
  return state === "added" && items > 0 && tokens === 0;
}

/** Columns that span the strip below them, each as wide as its figure needs. */
const FIGURE = "grow border-l border-line pr-6 pl-3 whitespace-nowrap sm:first:border-l-0 sm:first:pl-0";

const SIGNS = { kept: "", dropped: "−", cleared: "−", truncated: "−", added: "+" } as const;

/** What stayed, went and came, in tokens and items. The file does not say which items a recorded compaction changed. */
function Figures({ entry, items }: { readonly entry: BoundaryEntry; readonly items: readonly BoundaryItem[] }) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { compaction, kind } = entry;
  const { columns } = useSession();
  const isRead = kind === "recorded" && isRewrittenByReads(columns);
  const sums = fateSums(items);
  const figure = (state: ItemState) => {
    const sum = sums.get(state) ?? { items: 0, tokens: 0 };
    const isUnknown = kind === "recorded" && (state === "cleared" || state === "truncated" || isSealed(state, sum));
    const sign = sum.tokens === 0 ? "" : SIGNS[state];
    return {
      value: isUnknown ? null : `${sign}${format.count(sum.tokens)}`,
      unit: `${format.count(sum.items)} ${t("items", { count: sum.items })}`,
    };
  };
  return (
    <dl className="mt-4 grid grid-cols-2 gap-y-3 sm:flex sm:flex-wrap">
      {ITEM_STATES.map((state) => {
        const { value, unit } = figure(state);
        return (
          <div key={state} className={FIGURE}>
            <dt className="flex items-center gap-1.5 text-sm text-t2">
              <FateSwatch fate={state} />
              {t(`state.${state}`)}
            </dt>
            <dd data-figure={state}>
              <Value className="text-xl font-semibold">{value}</Value>{" "}
              {value !== null && <span className="ml-0.5 text-sm text-t2">{unit}</span>}
            </dd>
          </div>
        );
      })}
      <TokenFigure
        id="rewritten"
        name={t("rewritten")}
        note={t(isRead ? "rewrittenReadNote" : "rewrittenNote")}
        tokens={compaction.rewritten}
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
        {name}
      </dt>
      <dd data-figure={id}>
        <Value className="text-xl font-semibold">{tokens === null ? null : format.count(tokens)}</Value>{" "}
        {tokens !== null && <span className="ml-0.5 text-sm text-t2">{t("tokens")}</span>}
      </dd>
    </div>
  );
}
