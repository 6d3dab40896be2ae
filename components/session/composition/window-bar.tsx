import { useTranslations } from "use-intl";
import { bandPaint } from "@/components/charts/band-paint";
import { BANDS } from "@/components/charts/bands";
import { useFormat } from "@/components/format/use-format";
import type { CompositionRow } from "./composition-rows";

interface WindowBarProps {
  readonly rows: readonly CompositionRow[];
  readonly window: number;
  readonly trigger: number | undefined;
}

/** The window as one bar: categories in stacking order, free space, buffer, and a mark where compaction fires. */
export function WindowBar({ rows, window, trigger }: WindowBarProps) {
  const t = useTranslations("session.composition");
  const format = useFormat();
  const drawn = rows.filter((row) => row.drawn && row.tokens > 0).sort((a, b) => stackOrder(a) - stackOrder(b));
  const whole = Math.max(
    window,
    drawn.reduce((sum, row) => sum + row.tokens, 0),
  );
  let from = 0;
  const parts = drawn.map((row) => {
    const start = from;
    from += row.tokens;
    return { row, start, width: row.tokens };
  });
  const percent = (tokens: number): string => `${(tokens / whole) * 100}%`;
  return (
    <div className="mt-3">
      <svg role="img" aria-label={t("barLabel")} width="100%" height="24" className="block">
        {parts.map(({ row, start, width }) => (
          <rect
            key={row.id}
            x={percent(start)}
            y="0.5"
            width={percent(width)}
            height="23"
            fill={
              row.band === undefined
                ? row.id === "autocompactBuffer"
                  ? "url(#buffer-hatch)"
                  : "none"
                : bandPaint(row.band)
            }
            stroke={row.band === undefined ? "var(--line2)" : "var(--bg)"}
            strokeDasharray={row.id === "freeSpace" ? "3 2" : undefined}
          />
        ))}
        {trigger !== undefined && (
          <line x1={percent(trigger)} x2={percent(trigger)} y2="24" className="stroke-t1" strokeWidth="2" />
        )}
      </svg>
      <p className="relative mt-1 h-4 text-xs text-t2 max-md:flex max-md:justify-between">
        {trigger !== undefined && (
          <span
            className="absolute -translate-x-full pr-2 whitespace-nowrap max-md:static max-md:translate-x-0"
            style={{ left: percent(trigger) }}
          >
            {t("trigger", { tokens: format.count(trigger) })}
          </span>
        )}
        <span className="absolute right-0 max-md:static max-md:ml-auto">
          {t("window", { tokens: format.count(window) })}
        </span>
      </p>
    </div>
  );
}

/** Position in the chart's stack; free space and buffer come last. */
function stackOrder(row: CompositionRow): number {
  const place = BANDS.findIndex(({ id }) => id === row.band?.id);
  return place < 0 ? BANDS.length : place;
}
