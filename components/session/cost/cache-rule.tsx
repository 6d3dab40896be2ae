import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Table } from "@/components/ui/table";
import type { Cost as CostAnswer } from "@/lib/queries/contract/types";
import { RequestButton } from "../shared/cost/request-button";

type Rule = NonNullable<CostAnswer["cacheRule"]>;

/** The rule is reliable if it predicts at least this share of the pairs within 2 %, and the session's input cost within this error. */
const HOLDS = { within: 0.8, error: 0.05 } as const;

/** Change that the rule makes to the session's input cost, if above the tolerated error of a simulated cost; else `undefined`. */
export function doubtfulError(rule: CostAnswer["cacheRule"]): number | undefined {
  const error = rule?.costError ?? 0;
  return Math.abs(error) > HOLDS.error ? error : undefined;
}

function isRuleDoubtful(rule: Rule): boolean {
  return rule.within2 / rule.pairs < HOLDS.within || doubtfulError(rule) !== undefined;
}

/** Accuracy of the rule that prices simulations, checked on this recording, and the requests that it mispredicts. */
export function CacheRule({ rule }: { readonly rule: CostAnswer["cacheRule"] }) {
  const t = useTranslations("cost.rule");
  const format = useFormat();
  return (
    <section aria-label={t("title")} data-testid="cache-rule">
      <h2 className="font-semibold">{t("title")}</h2>
      {rule === null || rule.pairs === 0 ? (
        <p className="mt-1 text-sm text-t2">{t(rule === null ? "nothingRead" : "noPairs")}</p>
      ) : (
        <>
          <p className="mt-1 text-sm text-t2">
            {t("found", {
              pairs: rule.pairs,
              exact: format.count(rule.exact),
              exactShare: format.percent(rule.exact / rule.pairs),
              within: format.count(rule.within2),
              withinShare: format.percent(rule.within2 / rule.pairs),
            })}{" "}
            {rule.costError === null ? t("noError") : t("error", { error: format.change(rule.costError, 1) })}
          </p>
          {isRuleDoubtful(rule) && <p className="mt-1 text-sm text-danger">{t("doubtful")}</p>}
          {rule.misses.length > 0 && <Misses misses={rule.misses} />}
        </>
      )}
    </section>
  );
}

/** Maximum number of listed pairs: the largest errors are enough. */
const LISTED = 20;

function Misses({ misses }: Pick<Rule, "misses">) {
  const t = useTranslations("cost.rule");
  const breaks = useTranslations("cost.breaks");
  const format = useFormat();
  return (
    <details className="mt-1 text-sm" data-testid="rule-misses">
      <summary className="w-fit cursor-pointer rounded-sm text-t2 hover:text-t1 touch:min-h-10">
        {t("misses", { count: misses.length })}
      </summary>
      <Table
        className="mt-1"
        caption={t("misses", { count: misses.length })}
        rows={misses.slice(0, LISTED)}
        rowKey={({ request }) => request}
        columns={[
          { head: breaks("request"), namesRow: true, cell: ({ request }) => <RequestButton request={request} /> },
          {
            head: breaks("gap"),
            numeric: true,
            cellClass: "whitespace-nowrap text-t2",
            cell: ({ gap }) => <Value>{Number.isNaN(gap) ? null : format.duration(Math.max(0, gap))}</Value>,
          },
          { head: t("predicted"), numeric: true, cell: ({ predicted }) => format.count(predicted) },
          { head: t("read"), numeric: true, cell: ({ read }) => format.count(read) },
        ]}
      />
      {misses.length > LISTED && <p className="mt-1 text-sm text-t3">{t("largest", { count: LISTED })}</p>}
    </details>
  );
}
