import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { axisTop, linearScale, ticks } from "@/components/charts/scale";
import { useSize } from "@/components/charts/use-size";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import type { Tokens } from "@/lib/core/base/units";
import { sourcesOf } from "@/lib/core/refetch/replay-index";
import { fetchedAgain, type ReuseCurve, reuseCurve } from "@/lib/core/refetch/reuse";
import { chosenOf } from "@/lib/queries/session/session-context";
import { useReplay, useSession } from "../shared/state/stores";
import { useSweepData } from "./sweep-data";

const HEIGHT = 180;
const MARGIN = { left: 60, right: 16, top: 12, bottom: 24 };

/** For every size of the context, the tokens that would be re-fetched if only that much had been kept. */
export function Reuse() {
  const t = useTranslations("sweep.reuse");
  const { over } = useReplay("over");
  const { recording } = useSession("recording");
  const curve = useMemo(
    () => reuseCurve(over.columns, recording.tokens, sourcesOf(over.columns)),
    [over.columns, recording.tokens],
  );
  const rows = budgetRows(curve, useBudgets());
  if (curve.distances.length === 0) return null;
  return (
    <section className="border-t border-line px-4 py-3" aria-labelledby="reuse-title" data-testid="reuse">
      <h3 id="reuse-title" className="font-semibold">
        {t("title")}
      </h3>
      <p className="mt-1 max-w-180 text-sm text-t3">{t("note")}</p>
      <div className="mt-2 grid gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Curve curve={curve} rows={rows} />
        <Budgets rows={rows} />
      </div>
    </section>
  );
}

/** Triggers of the recording's agent, of the current policy, and of the sweep's points. */
function useBudgets(): readonly Budget[] {
  const { summary, ownTrigger, observedTrigger } = useSession("summary", "ownTrigger", "observedTrigger");
  const { choice, threshold } = useReplay("choice", "threshold");
  const { result } = useSweepData();
  return useMemo(() => {
    const recorded = observedTrigger ?? ownTrigger?.tokens ?? summary.contextWindow.tokens;
    const sweptAt = (set: Readonly<Record<string, number>>) =>
      choice.policy.threshold?.(chosenOf({ ...choice, settings: { ...choice.settings, ...set } }));
    const swept = (result?.points ?? []).flatMap(({ set }) => sweptAt(set) ?? []);
    return [
      { kind: "recorded", budget: recorded },
      ...(threshold === undefined ? [] : [{ kind: "inForce" as const, budget: threshold }]),
      ...swept.map((budget) => ({ kind: "swept" as const, budget })),
    ];
  }, [summary, ownTrigger, observedTrigger, choice, threshold, result]);
}

const STROKES = { recorded: "stroke-t1", inForce: "stroke-accent", swept: "stroke-line2" } as const;

interface CurveProps {
  readonly curve: ReuseCurve;
  readonly rows: readonly BudgetRow[];
}

/** The curve. The table next to it has the same content, so it is hidden from screen readers. */
function Curve({ curve, rows }: CurveProps) {
  const t = useTranslations("sweep.reuse");
  const format = useFormat();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const end = axisTop(...rows.map(({ budget }) => budget), Math.min(curve.distances.at(-1) ?? 0, 1_000_000));
  const x = linearScale([0, end], [MARGIN.left, Math.max(MARGIN.left + 1, width - MARGIN.right)]);
  const y = linearScale([0, axisTop(curve.tokens[0] ?? 0)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const corners = curveCorners(curve, end);
  const path = corners.map(([budget, again]) => `H${x.px(budget)}V${y.px(again)}`).join("");
  return (
    <div ref={ref} className="min-w-0">
      <svg width={width} height={HEIGHT} aria-hidden className="block text-xs">
        {ticks([0, y.domain[1]], 3).map((tick) => (
          <g key={tick}>
            <line x1={x.range[0]} x2={x.range[1]} y1={y.px(tick)} y2={y.px(tick)} className="stroke-line" />
            <text x={MARGIN.left - 8} y={y.px(tick) + 4} textAnchor="end" className="fill-t2">
              {format.short(tick)}
            </text>
          </g>
        ))}
        {ticks([0, end], Math.max(2, Math.floor(width / 110))).map((tick) => (
          <text key={tick} x={x.px(tick)} y={HEIGHT - 6} textAnchor="middle" className="fill-t2">
            {format.short(tick)}
          </text>
        ))}
        {rows.map(({ kind, budget }) => (
          <line
            key={budget}
            x1={x.px(budget)}
            x2={x.px(budget)}
            y1={MARGIN.top}
            y2={HEIGHT - MARGIN.bottom}
            className={STROKES[kind]}
            data-budget={kind}
          />
        ))}
        <path
          d={`M${x.px(0)} ${y.px(corners[0]?.[1] ?? 0)}${path}H${x.px(end)}`}
          fill="none"
          className="stroke-t2"
          strokeWidth={2}
        />
      </svg>
      <p className="text-sm text-t3">{t("axis")}</p>
    </div>
  );
}

function Budgets({ rows }: { readonly rows: readonly BudgetRow[] }) {
  const t = useTranslations("sweep.reuse");
  const format = useFormat();
  return (
    <ExportedTable
      className="self-start"
      caption={t("title")}
      rows={rows}
      rowKey={({ budget }) => budget}
      columns={[
        {
          head: t("budget"),
          value: ({ budget }) => budget,
          namesRow: true,
          className: "pl-0",
          cell: ({ kind, budget }) => (
            <span
              className={cn(kind === "recorded" && "font-semibold")}
            >{`${format.count(budget)} ${t(`kind.${kind}`)}`}</span>
          ),
        },
        {
          head: t("again"),
          numeric: true,
          className: "pr-0",
          cell: ({ again }) => format.count(again),
          value: ({ again }) => again,
        },
      ]}
    />
  );
}

/** A size of the context at which the curve is read. */
export interface Budget {
  readonly kind: "recorded" | "inForce" | "swept";
  readonly budget: Tokens;
}

/** A budget with its re-fetched tokens. */
interface BudgetRow extends Budget {
  readonly again: Tokens;
}

/** Maximum number of listed swept budgets. If there are more, evenly spaced ones are listed, including the first and the last. */
const MAX_SWEPT = 12;

/** The distinct budgets by size. Of equal ones, the recording's is kept, else the current one. */
export function budgetRows(curve: ReuseCurve, budgets: readonly Budget[]): readonly BudgetRow[] {
  const swept = thinned(budgets.filter(({ kind }) => kind === "swept").sort((a, b) => a.budget - b.budget));
  const bySize = new Map<Tokens, Budget>();
  for (const kind of ["recorded", "inForce"] as const) {
    for (const one of budgets) if (one.kind === kind && !bySize.has(one.budget)) bySize.set(one.budget, one);
  }
  for (const one of swept) if (!bySize.has(one.budget)) bySize.set(one.budget, one);
  return [...bySize.values()]
    .sort((a, b) => a.budget - b.budget)
    .map((one) => ({ ...one, again: fetchedAgain(curve, one.budget) }));
}

function thinned(budgets: readonly Budget[]): readonly Budget[] {
  const distinct = budgets.filter(({ budget }, at) => budget !== budgets[at - 1]?.budget);
  if (distinct.length <= MAX_SWEPT) return distinct;
  const step = (distinct.length - 1) / (MAX_SWEPT - 1);
  return Array.from({ length: MAX_SWEPT }, (_, at) => distinct[Math.round(at * step)]).filter(
    (one) => one !== undefined,
  );
}

/** The curve as the corners of its steps, from budget 0 to the right end. */
export function curveCorners({ distances, tokens }: ReuseCurve, end: Tokens): readonly (readonly [Tokens, Tokens])[] {
  const corners: (readonly [Tokens, Tokens])[] = [[0, tokens[0] ?? 0]];
  for (let at = 0; at < distances.length; at++) {
    const distance = distances[at] ?? 0;
    if (distance > end) break;
    if (distances[at + 1] === distance) continue;
    corners.push([distance, tokens[at + 1] ?? 0]);
  }
  return corners;
}
