import { useTranslations } from "use-intl";
import { bandInk, bandPaint } from "@/components/charts/band-paint";
import { textWidth } from "@/components/charts/text-width";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { useSession } from "../state/session-data";
import { type PlacedLabel, placedLabels, type WantedLabel } from "./bar-labels";
import { type BarGroup, type BarPart, barGroups, barParts } from "./bar-parts";
import type { CompositionRow } from "./composition-rows";

interface WindowBarProps {
  readonly rows: readonly CompositionRow[];
  readonly window: number;
  readonly trigger: number | undefined;
}

/** The window as one bar: categories in stacking order, free space, buffer, and a mark where compaction fires. */
export function WindowBar({ rows, window, trigger }: WindowBarProps) {
  const t = useTranslations("session.composition");
  const [ref, { width }] = useSize<HTMLDivElement>();
  const parts = barParts(rows);
  const whole = Math.max(window, parts.at(-1)?.to ?? 0);
  const percent = (tokens: number): string => `${(tokens / whole) * 100}%`;
  const labels = useLabels(barGroups(parts), { window, trigger }, (tokens) => (tokens / whole) * width);
  return (
    <div ref={ref} className="mt-1" data-testid="window-bar">
      <svg role="img" aria-label={t("barLabel")} width="100%" height="24" className="block">
        {parts.map((part) => (
          <rect
            key={part.row.id}
            x={percent(part.from)}
            y="0.5"
            width={percent(part.row.tokens)}
            height="23"
            fill={paintOf(part)}
            stroke={part.row.band === undefined ? "var(--line2)" : "var(--bg)"}
            strokeDasharray={part.row.id === "freeSpace" ? "3 2" : undefined}
          />
        ))}
        {parts.map((part) => (
          <PartName key={part.row.id} part={part} x={percent(part.from)} room={(part.row.tokens / whole) * width} />
        ))}
        {trigger !== undefined && (
          <line
            x1={percent(Math.max(0, trigger))}
            x2={percent(Math.max(0, trigger))}
            y2="24"
            className="stroke-t1"
            strokeWidth="2"
          />
        )}
      </svg>
      <p className="relative mt-1 h-4 text-xs text-t2">
        {labels.map(({ key, text, left }) => (
          <span key={key} className="absolute whitespace-nowrap" style={{ left }}>
            {text}
          </span>
        ))}
      </p>
    </div>
  );
}

function paintOf({ row }: BarPart): string {
  if (row.band !== undefined) return bandPaint(row.band);
  return row.id === "autocompactBuffer" ? "url(#buffer-hatch)" : "none";
}

/** A category's name and size on its segment, where there is room. Patterns carry no text. */
function PartName({ part, x, room }: { readonly part: BarPart; readonly x: string; readonly room: number }) {
  const t = useTranslations("session.category");
  const format = useFormat();
  const { id, band, tokens } = part.row;
  const text = `${t(id as "messages")} ${format.count(tokens)}`; // each category has a message
  if (band?.fill !== "solid" || textWidth(text) + 16 > room) return null;
  return (
    <text x={x} dx="8" y="16" fontSize="11" fill={bandInk(band)}>
      {text}
    </text>
  );
}

interface Marks {
  readonly window: number;
  readonly trigger: number | undefined;
}

/** What stands below the bar: the trigger and the window first, then the groups from the largest on. */
function useLabels(groups: readonly BarGroup[], { window, trigger }: Marks, px: (tokens: number) => number) {
  const t = useTranslations("session.composition");
  const format = useFormat();
  const { contextWindow } = useSession().summary;
  const isEffective = contextWindow.whole !== undefined && contextWindow.tokens === window;
  if (px(window) === 0) return [] satisfies PlacedLabel[];
  const marks: readonly WantedLabel[] = [
    {
      key: "window",
      text: t(isEffective ? "effectiveWindow" : "window", { tokens: format.count(window) }),
      x: px(window),
      anchor: "end",
    },
    ...(trigger === undefined
      ? []
      : [
          {
            key: "trigger",
            text: t("trigger", { tokens: format.count(trigger) }),
            x: px(trigger),
            anchor: "middle" as const,
          },
        ]),
  ];
  const wanted = groups
    .toSorted((a, b) => b.tokens - a.tokens)
    .map(
      ({ id, from, tokens }): WantedLabel => ({
        key: id,
        text: t(`part.${id}`, { tokens: format.count(tokens) }),
        x: px(from),
        anchor: "start",
      }),
    );
  return placedLabels([...marks, ...wanted], px(window));
}
