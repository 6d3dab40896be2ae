import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { atLeast } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import { canBeScheduled } from "@/lib/core/compaction/policies/scheduled";
import { dollarsOf } from "@/lib/core/cost/money";
import type { BestSchedule } from "@/lib/queries/cost/best-schedule";
import { chosenOf } from "@/lib/queries/session/session-context";
import { RequestButton } from "../shared/cost/request-button";
import { useReplay } from "../shared/state/stores";

const HEIGHT = 14;

/** Maximum number of named requests. */
const NAMED = 6;

/** The hindsight optimum of the current policy: a line of marks under the timeline at its requests, and its cost. */
export function BestTimes({ frame }: { readonly frame: Frame }) {
  const { choice } = useReplay("choice");
  const schedule = useReplay(({ schedule }) => schedule);
  // Its space is reserved during the search, so that nothing moves when it arrives.
  const isPossible = canBeScheduled(choice.policy, chosenOf(choice)) && choice.policy.id !== "recorded";
  if (!isPossible || schedule === undefined) return null;
  const found = schedule === "pending" ? undefined : schedule;
  return (
    <div data-testid="best-times" aria-busy={found === undefined}>
      <MarkLine frame={frame} requests={found?.requests ?? []} />
      <div className="min-h-6 px-4 text-xs text-t3 max-md:min-h-8 phone-line lg:overflow-x-auto lg:[scrollbar-width:none]">
        {found !== undefined && <Sentence schedule={found} />}
      </div>
    </div>
  );
}

function MarkLine({ frame, requests }: { readonly frame: Frame; readonly requests: BestSchedule["requests"] }) {
  const t = useTranslations("session.timeline.best");
  return (
    <svg aria-hidden="true" className="block" width={frame.width} height={HEIGHT}>
      <text x={frame.left - 6} y={HEIGHT - 4} textAnchor="end" className="fill-t3 text-xs">
        {t("lane")}
      </text>
      <line x1={frame.left} x2={frame.right} y1={HEIGHT / 2 + 0.5} y2={HEIGHT / 2 + 0.5} className="stroke-line" />
      {bestMarks(requests, frame).map(({ px, request, count }) => (
        <path
          key={request}
          data-best-mark={request}
          data-count={count}
          d={`M${px} ${HEIGHT / 2 - 5}l5 5l-5 5l-5 -5Z`}
          className="fill-t1"
        />
      ))}
    </svg>
  );
}

/** The requests and cost of the hindsight optimum, and the additional cost of the policy's own schedule. */
function Sentence({ schedule: { requests, cost } }: { readonly schedule: BestSchedule }) {
  const t = useTranslations("session.timeline.best");
  const format = useFormat();
  const { choice, simulated, over, costs } = useReplay("choice", "simulated", "over", "costs");
  const run = { prepared: choice, counting: choice.counting, recording: over };
  const own = costs.of(choice, simulated);
  const regret = costs.regret(run, own);
  const usd = atLeast(format.usd(dollarsOf(cost)), own ?? undefined);
  return (
    <span className="flex items-baseline gap-x-2 md:max-lg:flex-wrap lg:whitespace-nowrap" title={t("note")}>
      <span>
        {t("cheapest", { count: requests.length, usd })}
        {regret !== null && ` ${t("regret", { regret: format.percent(regret, 1) })}`}
      </span>
      {requests.slice(0, NAMED).map((request) => (
        <RequestButton key={request} request={request} />
      ))}
      {requests.length > NAMED && <span>{t("more", { count: requests.length - NAMED })}</span>}
    </span>
  );
}

/** Marks closer than this are merged. */
const NEAR_PX = 6;

/** One or more requests of the hindsight optimum. */
interface BestMark {
  readonly px: number;
  readonly request: number;
  readonly count: number;
}

/**
 * Positions of a schedule's requests in a frame; those outside of it are left out.
 * @param requests ascending
 */
export function bestMarks(requests: readonly number[], frame: Pick<Frame, "x" | "from" | "to">): readonly BestMark[] {
  const marks: BestMark[] = [];
  for (const request of requests) {
    if (request < frame.from || request >= frame.to) continue;
    const px = Math.round(frame.x.px(request));
    const last = marks.at(-1);
    if (last !== undefined && px - last.px < NEAR_PX) marks[marks.length - 1] = { ...last, count: last.count + 1 };
    else marks.push({ px, request, count: 1 });
  }
  return marks;
}
