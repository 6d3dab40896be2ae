import { memo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { textWidth } from "@/components/charts/text-width";
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
import { isNarrow } from "../shared/timeline/geometry";

/** Visible cost parts of a session's page, loaded together, since all need the prices. The chart does not wait for them. */
export { BestTimes } from "./best-times";
export { OpeningSweep, Verdict } from "./verdict";

/** Distance of the payback lines above the axis, in pixels. */
const LANE = { recorded: 7, simulated: 15 } as const;

/** Maximum number of simulated compactions with payback lines: more stretches would be indistinguishable. */
const MOST_DRAWN = 40;

/** The timeline's cost marks: cache misses below the axis, and stretches of requests over which compactions paid off. */
export const TimelineCosts = memo(function TimelineCosts({ frame }: { readonly frame: Frame }) {
  const { points } = useSession("points");
  const recorded = useRecordedBoundaryCosts();
  const simulated = useSimulatedBoundaryCosts(MOST_DRAWN);
  const width = textWidth(useTranslations("session.boundary.cost")("paid"));
  const stretches = { recorded: paybacks(recorded, points), simulated: paybacks(simulated, points) };
  const words = paidWords(frame, stretches.recorded, width);
  return (
    <Layer frame={frame} data-testid="timeline-costs">
      <BreakTicks frame={frame} />
      <Paybacks frame={frame} kind="recorded" stretches={stretches.recorded} words={words} />
      <Paybacks
        frame={frame}
        kind="simulated"
        stretches={stretches.simulated}
        words={paidWords(frame, stretches.simulated, width, words)}
      />
    </Layer>
  );
});

function BreakTicks({ frame }: { readonly frame: Frame }) {
  const { breaks } = usePricedSession();
  const shown = (breaks?.breaks ?? []).filter(
    ({ cause, request }) => cause !== "first" && request >= frame.from && request < frame.to,
  );
  return shown.map(({ request, cause }) => {
    const x = Math.round(frame.x.px(request + 0.5)) + 0.5;
    return (
      <path
        key={request}
        data-break-tick={cause}
        d={`M${x - 4} ${frame.bottom + 7}h8l-4 -6Z`}
        className="fill-danger"
      />
    );
  });
}

interface PaybacksProps {
  readonly frame: Frame;
  readonly kind: keyof typeof LANE;
  readonly stretches: readonly Payback[];
  /** Starts of the labels at the ends of stretches that have space for them, in px. */
  readonly words: readonly number[];
}

/** A line from every compaction to the point where it has paid off, with a dot there; dotted if it never does. */
function Paybacks({ frame, kind, stretches, words }: PaybacksProps) {
  const t = useTranslations("session.boundary.cost");
  const label = t("paid");
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
        {isEnd && words.includes(to) && (
          <g>
            <rect x={to + 6} y={y - 7} width={textWidth(label) + 4} height="14" rx="3" fill="var(--bg)" />
            <text x={to + 8} y={y + 4} className={`text-xs ${fill}`}>
              {label}
            </text>
          </g>
        )}
      </g>
    );
  });
}

/** In the timeline's card: the cache miss of the current request, its cause, and its cost. */
export function BreakAt({ at }: { readonly at: number }) {
  const t = useTranslations("cost");
  const format = useFormat();
  const usd = useMicroUsd();
  const { breaks } = usePricedSession();
  const found = breaks?.breaks.find(({ request }) => request === at);
  if (found === undefined || found.cause === "first") return null;
  const cause = t(`cause.${found.cause}`);
  const amount = usd(found.cost);
  return (
    <p className="mt-2 whitespace-normal text-danger" data-testid="break-at-cursor">
      {t("chart.broke", { cause, tokens: format.count(found.tokens) })}
      {amount !== null && ` (${amount})`}
    </p>
  );
}

/** Space around a label, in px. */
const AIR = 16;

/**
 * Ends of stretches with space for a label, in px: up to the next stretch, and clear of the labels of another row close above or below.
 * @param width of the label, in px
 */
export function paidWords(
  frame: Frame,
  stretches: readonly Payback[],
  width: number,
  others: readonly number[] = [],
): readonly number[] {
  if (isNarrow(frame)) return [];
  return stretches.flatMap(({ end, isPaid }, index) => {
    const px = frame.x.px(end);
    const next = stretches[index + 1];
    const limit = next === undefined ? frame.right : frame.x.px(next.request);
    const isFree = others.every((other) => Math.abs(other - px) > width + AIR);
    return isPaid && px <= frame.right && px >= frame.left && limit - px > width + AIR && isFree ? [px] : [];
  });
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
