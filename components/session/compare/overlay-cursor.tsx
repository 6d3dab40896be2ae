import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { useFormat } from "@/components/format/use-format";
import { CursorCard, usePointed } from "../cursor-parts";
import { useComparison } from "./comparison";
import { RunLetter, RunLine } from "./run-mark";
import { runStyle } from "./run-style";
import { useRunWords } from "./use-run-words";

const WIDTH = 280;

/** The pointed request: a line, and a dot on every run's line. */
export function OverlayCursor({ frame }: { readonly frame: Frame }) {
  const at = usePointed(frame);
  const { runs } = useComparison();
  if (at === null) return null;
  const x = Math.round(frame.x.px(at + 0.5)) + 0.5;
  return (
    <Layer frame={frame}>
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} className="stroke-t1" />
      {runs.map(({ replay }, index) => (
        <circle
          key={runStyle(index).letter}
          cx={x}
          cy={Math.max(frame.top, frame.y.px(replay.context[at] ?? 0))}
          r="3.5"
          className="fill-bg"
          stroke={runStyle(index).colour}
          strokeWidth="1.75"
        />
      ))}
    </Layer>
  );
}

/** What every run would have sent with the pointed request. */
export function OverlayCard({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("compare.chart");
  const timeline = useTranslations("session.timeline");
  const words = useRunWords();
  const format = useFormat();
  const at = usePointed(frame);
  const { runs } = useComparison();
  if (at === null) return null;
  return (
    <CursorCard frame={frame} at={at} width={Math.min(WIDTH, frame.width)} testId="compare-card">
      <p className="mb-1 font-semibold">{timeline("request", { request: at })}</p>
      <table className="w-full border-collapse whitespace-nowrap">
        <thead>
          <tr className="text-xs text-t3 [&>th]:pb-1 [&>th]:font-normal">
            <th scope="col" className="text-left">
              {t("run")}
            </th>
            <th scope="col" className="text-right">
              {t("context")}
            </th>
            <th scope="col" className="pl-3 text-right">
              {t("ofWindow")}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => {
            const tokens = run.replay.context[at] ?? 0;
            return (
              <tr key={runStyle(index).letter}>
                <th scope="row" className="flex h-6 max-w-40 items-center gap-1.5 text-left font-normal">
                  <RunLine index={index} />
                  <RunLetter index={index} />
                  <span className="truncate">{words.name(run)}</span>
                </th>
                <td className="text-right">{format.count(tokens)}</td>
                <td className="pl-3 text-right text-t2">{((tokens / run.window) * 100).toFixed(1)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </CursorCard>
  );
}
