import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { runStyle } from "../shared/runs/run-style";
import { LevelLine, LevelName, nameInsets } from "../shared/timeline/level-line";
import { type Comparison, useComparison } from "./comparison";
import { type WindowLevel, windowLevels } from "./windows";

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

/** What the horizontal lines are, and whose, where the runs have different windows. For windows above the axis it gives the sizes alone. */
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
