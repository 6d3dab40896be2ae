import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { FigureValue } from "@/components/format/value";
import { SWEPT_FIGURES } from "@/lib/core/figures/values";
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

function Figures({ point: { figures, bands } }: { readonly point: ShownPoints["points"][number] }) {
  const words = useSweepWords();
  return (
    <dl className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(96px,1fr))] gap-x-4 gap-y-1">
      {SWEPT_FIGURES.map((figure) => (
        <div key={figure.key} data-figure={figure.key}>
          <dt className="truncate text-xs text-t3">{words.metric(figure.key)}</dt>
          <dd className="text-t1">
            <FigureValue figure={figure} value={figures[figure.key]} band={bands[figure.key]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
