import { memo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import type { RequestRange } from "@/components/charts/zoom";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import type { RequestIndex } from "@/lib/core/base/units";
import type { BoundaryCost } from "@/lib/core/cost/boundary-cost";
import { isLeast } from "@/lib/queries/wire/least";
import { billView } from "../shared/cost/bill-view";
import {
  useMicroUsd,
  usePricedSession,
  useRecordedBoundaryCosts,
  useRecordedCost,
  useSimulatedBoundaryCosts,
  useUsd,
} from "../shared/cost/use-cost";
import { useSession, useViewActions } from "../shared/state/stores";
import { useSchedule } from "./hindsight-marks";
import { CostMarkKeys } from "./legend";

/** Visible cost parts of a session's page, loaded together, since all need the prices. The chart does not wait for them. */
export { HindsightMarks, HindsightNote } from "./hindsight-marks";
export { OpeningSweep, Verdict } from "./verdict";

/** Distance of the payback lines above the axis, in pixels. */
const LANE = { recorded: 7, simulated: 15 } as const;

/** Maximum number of simulated compactions with payback lines: more stretches would be indistinguishable. */
const MAX_DRAWN = 40;

/** The timeline's cost marks: cache misses below the axis, and stretches of requests over which compactions paid off. */
export const TimelineCosts = memo(function TimelineCosts({ frame }: { readonly frame: Frame }) {
  const { points } = useSession("points");
  const recorded = useRecordedBoundaryCosts();
  const simulated = useSimulatedBoundaryCosts(MAX_DRAWN);
  return (
    <Layer frame={frame} data-testid="timeline-costs">
      <MissTicks frame={frame} />
      <Paybacks frame={frame} kind="recorded" stretches={paybacks(recorded, points)} />
      <Paybacks frame={frame} kind="simulated" stretches={paybacks(simulated, points)} />
    </Layer>
  );
});

/** The cache misses among the requests shown. */
function useMisses({ from, to }: Pick<Frame, "from" | "to">) {
  const { misses } = usePricedSession();
  return (misses?.misses ?? []).flatMap(({ cause, ...miss }) =>
    cause === "first" || miss.request < from || miss.request >= to ? [] : { ...miss, cause },
  );
}

/** Marks of the cache misses below the axis, where the pointer reaches them; their tooltips state cause and cost. */
function MissTicks({ frame }: { readonly frame: Frame }) {
  const missText = useMissText();
  return useMisses(frame).map((miss) => {
    const { request, cause } = miss;
    const x = Math.round(frame.x.px(request + 0.5)) + 0.5;
    return (
      <g key={request} className="pointer-events-auto">
        <title>{missText(miss)}</title>
        <rect x={x - 6} y={frame.bottom} width="12" height="12" fill="none" pointerEvents="all" />
        <path data-break-tick={cause} d={`M${x - 4} ${frame.bottom + 7}h8l-4 -6Z`} className="fill-danger" />
      </g>
    );
  });
}

interface PaybacksProps {
  readonly frame: Frame;
  readonly kind: keyof typeof LANE;
  readonly stretches: readonly Payback[];
}

/** A line from every compaction to the point where it has paid off, with a dot at its end; dotted if it never pays off. */
function Paybacks({ frame, kind, stretches }: PaybacksProps) {
  const y = frame.bottom - LANE[kind];
  const [stroke, fill] = kind === "simulated" ? ["stroke-accent", "fill-accent"] : ["stroke-t1", "fill-t1"];
  return stretches.map(({ request, end, isPaid }) => {
    const [from, to] = [Math.max(frame.left, frame.x.px(request)), Math.min(frame.right, frame.x.px(end))];
    if (to <= from) return null;
    const isEnd = isPaid && frame.x.px(end) <= frame.right;
    return (
      <g key={request} data-payback={kind} data-paid={isPaid}>
        <line x1={from} x2={to} y1={y} y2={y} stroke="var(--bg)" strokeWidth="5" />
        <line
          x1={from}
          x2={to}
          y1={y}
          y2={y}
          className={stroke}
          strokeWidth="2"
          strokeDasharray={isPaid ? undefined : "2 3"}
        />
        {isEnd && <circle cx={to} cy={y} r="4" className={fill} stroke="var(--bg)" strokeWidth="1.5" />}
      </g>
    );
  });
}

/** Describes a cache miss: its cause, uncached tokens and cost. */
function useMissText() {
  const t = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  return ({ cause, tokens, cost }: ReturnType<typeof useMisses>[number]): string => {
    const amount = usd(cost);
    const text = t("chart.broke", { cause: t(`cause.${cause}`), tokens: format.count(tokens) });
    return amount === null ? text : `${text} (${amount})`;
  };
}

/** In the timeline's card: the cache miss of the pointed request, its cause, and its cost. */
export function MissAtCursor({ at }: { readonly at: number }) {
  const missText = useMissText();
  const [found] = useMisses({ from: at, to: at + 1 });
  if (found === undefined) return null;
  return (
    <p className="mt-2 whitespace-normal text-danger" data-testid="break-at-cursor">
      {missText(found)}
    </p>
  );
}

/** Legend entries of the marks that need the prices: cache misses, the hindsight optimum, and where a compaction has paid for itself. */
export function CostKeys({ range: { from, to } }: { readonly range: RequestRange }) {
  const schedule = useSchedule();
  const hasMisses = useMisses({ from, to }).length > 0;
  const hasPaybacks = [...useRecordedBoundaryCosts(), ...useSimulatedBoundaryCosts(MAX_DRAWN)].some(
    ({ breakEven }) => breakEven !== undefined,
  );
  return <CostMarkKeys misses={hasMisses} best={schedule !== undefined} paid={hasPaybacks} />;
}

/** The stretch of requests over which a compaction pays off. */
interface Payback {
  readonly request: RequestIndex;
  /** End of the stretch: the break-even, which may lie between requests; or an earlier next compaction or end of the session. */
  readonly end: number;
  readonly isPaid: boolean;
}

/**
 * The stretches of the compactions with a known break-even, in order.
 * @param points requests of the session
 */
export function paybacks(costs: readonly BoundaryCost[], points: number): readonly Payback[] {
  return costs.flatMap(({ request, breakEven }, index) => {
    if (breakEven === undefined) return [];
    const limit = costs[index + 1]?.request ?? points;
    const end = request + breakEven;
    return [{ request, end: Math.min(end, limit), isPaid: end <= limit }];
  });
}

/** The session's cost at list prices, alone and with its subagents, among its facts; pressing it opens the cost tab. */
export function HeaderCost() {
  const t = useTranslations("cost");
  const common = useTranslations("common.value");
  const usd = useUsd();
  const { setTab } = useViewActions();
  const { answer: session } = useSession("answer");
  const answer = useRecordedCost();
  const { billed, together } = billView(answer, session.bill);
  return (
    <button
      type="button"
      title={t("header.note")}
      data-testid="header-cost"
      onClick={() => setTab("cost")}
      className="rounded-sm hover:text-t1 touch:h-10"
    >
      {t("header.cost")} <Value>{usd(billed.usd, isLeast(answer))}</Value>
      {together !== undefined &&
        t("header.together", { usd: usd(together.usd, isLeast(answer) || together.isLeast) ?? common("na") })}
    </button>
  );
}
