import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { axisTop, niceStep } from "@/components/charts/scale";
import { useFormat } from "@/components/format/use-format";
import { runStyle } from "../shared/runs/run-style";
import { LevelLine, LevelName, nameInsets } from "../shared/timeline/level-line";
import { type Comparison, useComparison } from "./comparison";

function levelsOf({ runs }: Comparison): readonly WindowLevel[] {
  return windowLevels(runs.map(({ window }) => window));
}

/** A horizontal line for every window: solid for the recording's, dotted for the others. */
export function WindowLines({ frame }: { readonly frame: Frame }) {
  const levels = levelsOf(useComparison());
  return levels.map(({ tokens, runs }) => (
    <g key={tokens} data-window={tokens}>
      {runs.includes(0) ? (
        <LevelLine frame={frame} tokens={tokens} className="stroke-t2" />
      ) : (
        <LevelLine frame={frame} tokens={tokens} className="stroke-t2" dash="1 3" />
      )}
    </g>
  ));
}

/** Names the horizontal lines and their runs if the runs have different windows. For windows above the axis it gives only the sizes. */
export function WindowNames({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const chart = useTranslations("compare.chart");
  const format = useFormat();
  const levels = levelsOf(useComparison());
  const names = levels.map(({ tokens, runs }) => {
    const name = t("window", { tokens: format.count(tokens) });
    const letters = runs.map((run) => runStyle(run).letter).join(", ");
    return { tokens, label: levels.length === 1 ? name : chart("windowOf", { name, runs: letters }) };
  });
  const top = frame.y.domain[1];
  const inside = names.filter(({ tokens }) => tokens <= top);
  const above = names.filter(({ tokens }) => tokens > top);
  const insets = nameInsets(frame, inside);
  return (
    <>
      {inside.map(({ tokens, label }, place) => (
        <LevelName key={tokens} frame={frame} tokens={tokens} label={label} end="left" inset={insets[place] ?? 0} />
      ))}
      {above.length > 0 && (
        <AboveNames frame={frame} names={above.map(({ label }) => label)} tokens={above[0]?.tokens ?? top} />
      )}
    </>
  );
}

interface AboveNamesProps {
  readonly frame: Frame;
  readonly names: readonly string[];
  readonly tokens: number;
}

function AboveNames({ frame, names, tokens }: AboveNamesProps) {
  const t = useTranslations("session.timeline");
  const joint = useTranslations("compare.chart")("windowJoint");
  const above = t("above", { name: names.join(joint) });
  return <LevelName frame={frame} tokens={tokens} label={above} above={above} end="right" />;
}

/** A window of one or more of the compared runs. */
interface WindowLevel {
  /** Its size, in tokens. */
  readonly tokens: number;
  /** Indexes of the runs with this window, in order. */
  readonly runs: readonly number[];
}

/** The distinct windows of the runs, in run order: the recording's is the first. */
export function windowLevels(windows: readonly number[]): readonly WindowLevel[] {
  return [...new Set(windows)].map((tokens) => ({
    tokens,
    runs: windows.flatMap((window, run) => (window === tokens ? [run] : [])),
  }));
}

/** A context below this share of the window would look like a line on the axis at the window's scale. */
const SMALL = 0.1;
/** The axis reaches up to another window only if that makes it at most this many times as high: a higher axis would flatten the lines. */
const FURTHER = 2;

/**
 * Top of the token axis: includes the lines, the recording's window, and other windows that do not flatten the lines.
 * @param peak the highest point of all lines
 * @param windows windows of the runs, the recording's first
 */
export function overlayTop(peak: number, windows: readonly number[]): number {
  const [recorded = 0, ...others] = windows;
  const seen = peak < recorded * SMALL ? peak : Math.max(peak, recorded);
  const highest = others.reduce((top, window) => (window <= seen * FURTHER ? Math.max(top, window) : top), seen);
  // Nothing crosses the line of a window, so one on a whole step needs no space above it.
  return highest > peak && highest % niceStep(highest, 8) === 0 ? highest : axisTop(highest);
}
