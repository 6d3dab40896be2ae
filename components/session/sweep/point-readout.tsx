"use client";

import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { usePointed } from "./pointed";
import { hasChoice, type ShownPoints } from "./shown-points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";
import { SHOWN_METRICS } from "./vary-param";

/** All figures of one point: of the one that is pointed at, else of the one that the replay panel is set to. */
export function PointReadout({ shown }: { readonly shown: ShownPoints }) {
  const t = useTranslations("sweep.map");
  const words = useSweepWords();
  const format = useFormat();
  const { isCurrent } = useSweepData();
  const pointed = usePointed();
  const current = shown.points.findIndex(isCurrent);
  const index = pointed ?? current;
  const point = shown.points[index];
  const state = [
    index === current ? t("current") : null,
    hasChoice(shown) && shown.front[index] === true ? t("onFront") : null,
  ].filter((part) => part !== null);
  return (
    <div
      className="mt-2 min-h-32 text-sm sm:min-h-26 xl:min-h-16 text-t2"
      aria-live={pointed === null ? "polite" : "off"}
      data-testid="point-readout"
    >
      {point === undefined ? (
        <p>{t("noneOpen")}</p>
      ) : (
        <>
          <p>
            <span className="font-semibold text-t1">{words.set(point.set)}</span>
            {state.length > 0 && <span className="text-t3"> · {format.list(state)}</span>}
          </p>
          <Figures point={point} />
        </>
      )}
    </div>
  );
}

function Figures({ point: { figures } }: { readonly point: ShownPoints["points"][number] }) {
  const words = useSweepWords();
  const format = useFormat();
  return (
    <dl className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(96px,1fr))] gap-x-4 gap-y-1">
      {SHOWN_METRICS.map((metric) => {
        const value = figures[metric];
        return (
          <div key={metric} data-figure={metric}>
            <dt className="truncate text-xs text-t3">{words.metric(metric)}</dt>
            <dd className="text-t1">
              <Value>{value === null ? null : format.count(value)}</Value>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
