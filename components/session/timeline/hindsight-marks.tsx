import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { atLeast } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import { Info } from "@/components/glossary/info";
import { canBeScheduled } from "@/lib/core/compaction/policies/scheduled";
import { dollarsOf } from "@/lib/core/cost/money";
import type { HindsightOptimum } from "@/lib/queries/cost/hindsight-optimum";
import { chosenOf } from "@/lib/queries/session/session-context";
import { RequestButton } from "../shared/cost/request-button";
import { useReplay } from "../shared/state/stores";
import { isNarrow } from "../shared/timeline/geometry";

const HEIGHT = 14;

/** The hindsight optimum of the current policy: `undefined` if it has none, `pending` during the search. */
export function useSchedule(): HindsightOptimum | "pending" | undefined {
  const { choice } = useReplay("choice");
  const schedule = useReplay(({ schedule }) => schedule);
  const isPossible = canBeScheduled(choice.policy, chosenOf(choice)) && choice.policy.id !== "recorded";
  return isPossible ? schedule : undefined;
}

/** The hindsight optimum of the current policy: a line of marks under the timeline at its requests. */
export function HindsightMarks({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline.best");
  const schedule = useSchedule();
  if (schedule === undefined) return null;
  const marks = schedule === "pending" ? [] : hindsightMarks(schedule.requests, frame);
  return (
    <svg
      aria-hidden="true"
      className="block"
      width={frame.width}
      height={HEIGHT}
      data-testid="hindsight-marks"
      aria-busy={schedule === "pending"}
    >
      {!isNarrow(frame) && (
        <text x={frame.left - 8} y={HEIGHT - 4} textAnchor="end" className="fill-t3 text-xs">
          {t("lane")}
        </text>
      )}
      <line x1={frame.left} x2={frame.right} y1={HEIGHT / 2 + 0.5} y2={HEIGHT / 2 + 0.5} className="stroke-line" />
      {marks.map(({ px, request, count }) => (
        <path
          key={request}
          data-hindsight-mark={request}
          data-count={count}
          d={`M${px} ${HEIGHT / 2 - 5}l5 5l-5 5l-5 -5Z`}
          className="fill-t1"
        >
          <title>{t("mark", { count, request })}</title>
        </path>
      ))}
    </svg>
  );
}

/** The cost of the hindsight optimum and the additional cost of the policy's own schedule in one line; a button shows its requests and its definition. */
export function HindsightNote() {
  const schedule = useSchedule();
  return schedule === undefined || schedule === "pending" ? null : <Note schedule={schedule} />;
}

function Note({ schedule: { requests, cost } }: { readonly schedule: HindsightOptimum }) {
  const t = useTranslations("session.timeline.best");
  const format = useFormat();
  const { choice, simulated, over, costs } = useReplay("choice", "simulated", "over", "costs");
  const run = { prepared: choice, counting: choice.counting, recording: over };
  const own = costs.of(choice, simulated);
  const regret = costs.regret(run, own);
  const usd = atLeast(format.usd(dollarsOf(cost)), own ?? undefined);
  const more = regret === null ? null : format.percent(regret, 1);
  return (
    <span className="flex min-w-0 items-center" data-testid="hindsight-note">
      <span className="truncate">
        {t("short", { usd })}
        {more !== null && t("shortRegret", { regret: more })}
      </span>
      <Info label={t("about")}>
        <p>
          {t("cheapest", { count: requests.length, usd })}
          {more !== null && ` ${t("regret", { regret: more })}`}
        </p>
        <p className="mt-1 text-t2">{t("note")}</p>
        <p className="mt-1 flex max-h-40 flex-wrap gap-x-3 overflow-auto">
          {requests.map((request) => (
            <RequestButton key={request} request={request} />
          ))}
        </p>
      </Info>
    </span>
  );
}

/** Marks closer than this are merged. */
const NEAR_PX = 6;

/** One or more requests of the hindsight optimum. */
interface HindsightMark {
  readonly px: number;
  readonly request: number;
  readonly count: number;
}

/**
 * Positions of a schedule's requests in a frame; those outside of it are left out.
 * @param requests ascending
 */
export function hindsightMarks(
  requests: readonly number[],
  frame: Pick<Frame, "x" | "from" | "to">,
): readonly HindsightMark[] {
  const marks: HindsightMark[] = [];
  for (const request of requests) {
    if (request < frame.from || request >= frame.to) continue;
    const px = Math.round(frame.x.px(request));
    const last = marks.at(-1);
    if (last !== undefined && px - last.px < NEAR_PX) marks[marks.length - 1] = { ...last, count: last.count + 1 };
    else marks.push({ px, request, count: 1 });
  }
  return marks;
}
