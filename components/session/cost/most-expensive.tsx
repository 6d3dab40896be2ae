import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { hasPartialOutput } from "@/lib/core/cost/bill";
import type { Cost as CostAnswer } from "@/lib/queries/contract/types";
import { useUsd } from "../shared/cost/use-cost";
import { useSession, useView, useViewActions } from "../shared/state/stores";

type ExpensiveRequest = CostAnswer["dearest"][number];

interface MostExpensiveProps {
  readonly answer: CostAnswer;
}

/** The three most expensive requests, each with the largest part of its cost and the reason. Pressing one points at it. */
export function MostExpensive({ answer: { dearest: mostExpensive, costUsd, breaks, priced } }: MostExpensiveProps) {
  const t = useTranslations("cost.mostExpensive");
  const usd = useUsd();
  const { pin } = useView("pin");
  const { reveal } = useViewActions();
  const words = useWhyWords(breaks);
  const { columns } = useSession("columns");
  if (mostExpensive.length === 0) return null;
  return (
    <section aria-label={t("title", { count: mostExpensive.length })} className="border-b border-line px-4 py-3">
      <h2 className="text-sm font-semibold">
        {t(costUsd.total === null && priced !== null ? "titlePriced" : "title", { count: mostExpensive.length })}
      </h2>
      <ol className="mt-1.5 grid gap-2 @3xl:grid-cols-3" data-testid="most-expensive">
        {mostExpensive.map((one, index) => (
          <li key={one.request} className="flex">
            <button
              type="button"
              data-expensive={one.request}
              aria-current={pin === one.request ? "true" : undefined}
              onClick={() => reveal(one.request)}
              className={cn(
                "flex w-full min-w-0 items-start gap-2.5 rounded-md border border-line px-3 py-2 text-left hover:bg-panel",
                pin === one.request && "border-line2 bg-sunk",
              )}
            >
              <Place index={index} />
              <span className="min-w-0 text-sm">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-semibold">{usd(one.usd, hasPartialOutput(columns, one.request))}</span>
                  <span className="text-t2">{t("at", { request: one.request })}</span>
                </span>
                <span className="block text-t2 [overflow-wrap:anywhere]">{words(one)}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The number above the request's column. */
function Place({ index }: { readonly index: number }) {
  return (
    <span
      aria-hidden="true"
      className="mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded-full bg-t1 text-sm font-semibold text-bg"
    >
      {index + 1}
    </span>
  );
}

/** Reason for a request's cost, in one sentence. */
function useWhyWords(breaks: CostAnswer["breaks"]): (one: ExpensiveRequest) => string {
  const t = useTranslations("cost.mostExpensive");
  const causes = useTranslations("cost.cause");
  const format = useFormat();
  return ({ request, because, cause, parts, tokens, item }) => {
    const metrics = { tokens: format.count(tokens[because]), usd: format.usd(parts[because]) };
    if (because === "again" && cause !== null && cause !== "first") {
      const gap = breaks?.find((one) => one.request === request)?.gap ?? null;
      const isPause = cause === "idle" && gap !== null;
      return t("again", { ...metrics, why: isPause ? t("pause", { duration: format.duration(gap) }) : causes(cause) });
    }
    if (because !== "fresh") return t(because === "again" ? "fresh" : because, metrics);
    if (cause === "first") return t("first", metrics);
    const name = item === null ? "" : nameOf(item);
    if (item === null || name === "") return t("fresh", metrics);
    return t(item.isCall ? "freshCall" : "freshResult", { ...metrics, name, size: format.short(item.tokens) });
  };
}

/** A tool and the last part of the path that it worked on. */
function nameOf({ tool, file }: NonNullable<ExpensiveRequest["item"]>): string {
  return [tool ?? [], file?.split(/[\\/]/u).at(-1) ?? []].flat().join(" ");
}
