import type { MouseEvent } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { withoutRefusals } from "@/lib/core/compaction/simulation/simulated-compaction";
import { boundaryKind, sizeAfter } from "../shared/boundaries/entries";
import { runStyle } from "../shared/runs/run-style";
import { useSession, useView, useViewActions } from "../shared/state/stores";
import { boundaryMarks } from "../shared/timeline/boundary-marks";
import { useRunName, useShortSize } from "../shared/timeline/use-marks";
import { useComparison } from "./comparison";

/** Minimum height of a press target. */
const LANE = 24;

/** The boundaries of every run, one lane each, below the chart's own axis. */
export function Lanes({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("compare.chart");
  const { runs } = useComparison();
  return (
    <div className="pb-2">
      <p className="pb-1 text-xs text-t2" style={{ paddingLeft: frame.left }}>
        {t("lanes")}
      </p>
      <ul>
        {runs.map((run, index) => (
          <li
            key={runStyle(index).letter}
            aria-label={t("lane", {
              letter: runStyle(index).letter,
              count: withoutRefusals(run.replay.compactions).length,
            })}
            data-lane={runStyle(index).letter}
            data-compactions={withoutRefusals(run.replay.compactions).length}
          >
            <LaneButton frame={frame} index={index} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A lane with marks: a pointer picks the nearest mark, the keyboard goes from one to the next. Picking a mark pins its request. */
function LaneButton({ frame, index }: { readonly frame: Frame; readonly index: number }) {
  const t = useTranslations("compare.chart");
  const { runs } = useComparison();
  const { pin } = useView("pin");
  const actions = useViewActions();
  const requests = runs[index]?.replay.compactions.map(({ request }) => request) ?? [];
  if (requests.length === 0) return <Lane frame={frame} index={index} />;
  const press = ({ detail, clientX, currentTarget }: MouseEvent<HTMLElement>): void => {
    const at = clientX - currentTarget.getBoundingClientRect().left;
    // A click count of 0 means a key press.
    const request = detail === 0 ? boundaryAfter(requests, pin) : boundaryNear(requests, frame.x.px, at);
    if (request !== undefined) actions.pin(request);
  };
  return (
    <button
      type="button"
      aria-label={t("nextMark", { letter: runStyle(index).letter })}
      onClick={press}
      className="block cursor-pointer"
    >
      <Lane frame={frame} index={index} />
    </button>
  );
}

function Lane({ frame, index }: { readonly frame: Frame; readonly index: number }) {
  const t = useTranslations("compare.chart");
  const short = useShortSize();
  const format = useFormat();
  const { runs } = useComparison();
  const { letter, colour } = runStyle(index);
  const run = runs[index];
  const { columns } = useSession("columns");
  const compactions = (run?.replay.compactions ?? []).map((compaction) => {
    const { request, tokensBefore, outcome, added, droppedItems } = compaction;
    return { request, tokensBefore, tokensAfter: sizeAfter(compaction, columns), outcome, added, droppedItems };
  });
  const nameOf = useRunName();
  const { lines, ticks, names } = boundaryMarks(compactions, frame, {
    kindOf: (compaction) => boundaryKind(compaction, run?.choice?.policy ?? {}),
    short,
    nameOf,
  });
  return (
    <svg aria-hidden="true" width={frame.width} height={LANE} className="block">
      <text x={frame.left - 8} y={LANE - 6} textAnchor="end" fill={colour} className="text-xs font-semibold">
        {letter}
      </text>
      <line x1={frame.left} x2={frame.right} y1={LANE - 2.5} y2={LANE - 2.5} className="stroke-line" />
      <path
        d={ticks
          .map(({ px, isCompaction }) => `M${Math.round(px) + 0.5} ${LANE - 3}v${isCompaction ? -6 : -3}`)
          .join("")}
        stroke={colour}
        strokeWidth="1"
        fill="none"
      />
      {names.map(({ px, text }) => (
        <text key={px} x={px} y={LANE - 11} className="fill-t2 text-xs italic">
          {text}
        </text>
      ))}
      {lines.map(({ ordinal, px, label, side }) => {
        const x = Math.round(px) + 0.5;
        const first = compactions[ordinal];
        return (
          <g key={ordinal} data-lane-mark>
            {first !== undefined && (
              <title>
                {t("mark", {
                  request: first.request,
                  before: format.count(first.tokensBefore),
                  after: first.tokensAfter === null ? short(null) : format.count(first.tokensAfter),
                })}
              </title>
            )}
            <rect x={x - 4} y="0" width="8" height={LANE} fill="transparent" />
            <path d={`M${x} 4V${LANE - 3}M${x - 4} ${LANE - 3}h8`} stroke={colour} strokeWidth="2" fill="none" />
            {label !== undefined && side !== "none" && (
              <text
                x={side === "right" ? x + 8 : x - 8}
                y={LANE - 11}
                textAnchor={side === "right" ? "start" : "end"}
                className="fill-t2 text-xs"
              >
                {label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** Maximum distance in pixels from a click to a mark. */
const REACH_PX = 12;

/**
 * The boundary of a lane nearest to a pixel; `undefined` if none is near.
 * @param requests requests of the lane's boundaries
 */
export function boundaryNear(
  requests: readonly number[],
  px: (request: number) => number,
  at: number,
): number | undefined {
  let found: number | undefined;
  let least = REACH_PX;
  for (const request of requests) {
    const distance = Math.abs(px(request) - at);
    if (distance > least) continue;
    found = request;
    least = distance;
  }
  return found;
}

/**
 * The boundary after the pinned request; the first one after the last.
 * @param requests requests of the boundaries, ascending
 */
export function boundaryAfter(requests: readonly number[], pin: number | null): number | undefined {
  return requests.find((request) => request > (pin ?? -1)) ?? requests[0];
}
