import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { FigureValue } from "@/components/format/value";
import { figuresThere, SWEPT_FIGURES } from "@/lib/core/figures/values";
import { usePointed } from "./pointed";
import { hasChoice, type ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

/** All figures of one point: the pointed one, else the one that the replay panel is set to. */
export function PointReadout({ shown }: { readonly shown: ShownPoints }) {
  const t = useTranslations("sweep.map");
  const words = useSweepWords();
  const format = useFormat();
  const { isCurrent } = useSweepData();
  const pointed = usePointed();
  const current = shown.points.findIndex(isCurrent);
  const index = pointed ?? current;
  const point = shown.points[index];
  const figures = figuresThere(SWEPT_FIGURES, shown.points);
  // Any point's figures take the room that another's will take: the chart below must not move from under the pointer.
  const placeholder = shown.points[0];
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
        <>
          <p>{t("noneOpen")}</p>
          {placeholder !== undefined && (
            <div aria-hidden className="invisible">
              <Figures point={placeholder} figures={figures} />
            </div>
          )}
        </>
      ) : (
        <>
          <p>
            <span className="font-semibold text-t1">{words.set(point.set)}</span>
            {state.length > 0 && <span className="text-t3"> · {format.list(state)}</span>}
          </p>
          <Figures point={point} figures={figures} />
        </>
      )}
    </div>
  );
}

interface FiguresProps {
  readonly point: ShownPoints["points"][number];
  readonly figures: typeof SWEPT_FIGURES;
}

function Figures({ point, figures }: FiguresProps) {
  const words = useSweepWords();
  return (
    <dl className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(96px,1fr))] gap-x-4 gap-y-1">
      {figures.map((figure) => (
        <div key={figure.key} data-figure={figure.key}>
          <dt className="truncate text-xs text-t3">{words.metric(figure.key)}</dt>
          <dd className="text-t1">
            <FigureValue figure={figure} value={point.figures[figure.key]} band={point.bands[figure.key]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
