import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { axisTop, linearScale, ticks } from "@/components/charts/scale";
import { useSize } from "@/components/charts/use-size";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { sourcesOf } from "@/lib/core/needs/replay-index";
import { type ReuseCurve, reuseCurve } from "@/lib/core/needs/reuse";
import { chosenOf } from "@/lib/questions/session/session-context";
import { useRecorded } from "../../state/recorded-data";
import { useReplay } from "../../state/replay-data";
import { useSession } from "../../state/session-data";
import { useSweepData } from "../sweep-data";
import { type Budget, type BudgetRow, budgetRows, curveCorners } from "./reuse-view";

const HEIGHT = 180;
const MARGIN = { left: 60, right: 16, top: 12, bottom: 24 };

/** For every size of the context at once, what would be fetched again if only that much had been kept. */
export function Reuse() {
  const t = useTranslations("sweep.reuse");
  const { over } = useReplay();
  const { recording } = useRecorded();
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
      <p className="mt-1 max-w-180 text-xs text-t3">{t("note")}</p>
      <div className="mt-2 grid gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Curve curve={curve} rows={rows} />
        <Budgets rows={rows} />
      </div>
    </section>
  );
}

/** Where the recording's agent compacted, where the policy in force does, and where the points of the sweep do. */
function useBudgets(): readonly Budget[] {
  const { summary } = useSession();
  const { ownTrigger, observedTrigger } = useRecorded();
  const { choice, threshold } = useReplay();
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

/** The curve. The table beside it says the same in words, so readers of screens are spared the drawing. */
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
      <p className="text-xs text-t3">{t("axis")}</p>
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
