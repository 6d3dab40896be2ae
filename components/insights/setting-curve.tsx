import { memo } from "react";
import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceLine, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { ChartBox } from "@/components/charts/chart-box";
import { AXIS } from "@/components/charts/recharts-look";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { usePolicyWords } from "@/components/settings/use-words";
import { type Found, settingCurve } from "./advice-view";
import { useAdviceWords } from "./use-advice-words";

const HEIGHT = 150;
const MARGIN = { top: 8, right: 12, bottom: 0, left: 0 };

/** The figure at every swept setting, with the flat region and what it is now. Its numbers are in the table beside it. */
export const SettingCurve = memo(function SettingCurve({
  found,
  spec,
}: {
  readonly found: Found;
  readonly spec: NumberSpec;
}) {
  const t = useTranslations("insights.advice");
  const words = usePolicyWords();
  const { amountShort, by, tick } = useAdviceWords();
  const { points, flat } = settingCurve(found, spec.key);
  return (
    <figure aria-label={t("curve")} className="min-w-0">
      <ChartBox label={t("curveOf", { figure: by(found.by), setting: words.setting(spec) })} height={HEIGHT}>
        {({ width, height }) => (
          <LineChart width={width} height={height} data={[...points]} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" vertical={false} />
            {flat.map(([from, to]) => (
              <ReferenceArea
                key={from}
                x1={from}
                x2={to}
                fill="var(--accent)"
                fillOpacity={0.14}
                stroke="var(--accent)"
                strokeOpacity={0.4}
              />
            ))}
            <ReferenceLine y={found.current} stroke="var(--t2)" strokeDasharray="4 3" />
            <XAxis
              dataKey="x"
              type="number"
              height={20}
              domain={["dataMin", "dataMax"]}
              tickFormatter={(value: number) => tick(spec, value)}
              {...AXIS}
            />
            <YAxis
              tickFormatter={(value: number) => amountShort(found.by, value)}
              domain={["auto", "auto"]}
              {...AXIS}
              width={56}
            />
            <Line dataKey="y" stroke="var(--t1)" strokeWidth={1.5} isAnimationActive={false} dot={{ r: 2.5 }} />
          </LineChart>
        )}
      </ChartBox>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-t2">
        <span>
          {by(found.by)} · {words.setting(spec)} ({words.unit(spec.unit)})
        </span>
        {flat.length > 0 && (
          <span className="flex items-center gap-1">
            <span aria-hidden className="inline-block h-2.5 w-4 border border-accent/40 bg-accent/15" />
            {t("flatKey")}
          </span>
        )}
        <span className="flex items-center gap-1">
          <span aria-hidden className="inline-block w-4 border-t border-dashed border-t2" />
          {t("currentKey")}
        </span>
      </figcaption>
    </figure>
  );
});
