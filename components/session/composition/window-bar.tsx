import { useTranslations } from "use-intl";
import { bandInk, bandPaint } from "@/components/charts/band-paint";
import { BANDS } from "@/components/charts/bands";
import { textWidth } from "@/components/charts/text-width";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { OVERHEAD_CATEGORIES } from "@/lib/core/base/categories";
import type { CompositionRow } from "../shared/context/composition-rows";
import { useSession } from "../shared/state/stores";

interface WindowBarProps {
  readonly rows: readonly CompositionRow[];
  readonly window: number;
  readonly trigger: number | undefined;
}

/** The window as one bar: categories in stacking order, free space, buffer, and a mark at the trigger. */
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

/** A category's name and size on its segment, if there is room. Patterns carry no text. */
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

/** The labels below the bar: the trigger and the window first, then the groups from the largest on. */
function useLabels(groups: readonly BarGroup[], { window, trigger }: Marks, px: (tokens: number) => number) {
  const t = useTranslations("session.composition");
  const format = useFormat();
  const { contextWindow } = useSession(({ summary }) => summary);
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

/** A label below a bar. All positions are pixels from the bar's left end. */
interface WantedLabel {
  readonly key: string;
  readonly text: string;
  readonly x: number;
  /** The part of the label that is at `x`: its start, middle or end. */
  readonly anchor: "start" | "middle" | "end";
}

interface PlacedLabel {
  readonly key: string;
  readonly text: string;
  readonly left: number;
}

const GAP = 12;
const ANCHORS = { start: 0, middle: 0.5, end: 1 } as const;

/** The labels that fit, the more important ones first: none leaves the bar's width, and none touches another. */
export function placedLabels(wanted: readonly WantedLabel[], width: number): readonly PlacedLabel[] {
  const placed: (PlacedLabel & { readonly right: number })[] = [];
  for (const { key, text, x, anchor } of wanted) {
    const own = textWidth(text);
    const left = Math.max(0, Math.min(width - own, x - own * ANCHORS[anchor]));
    const right = left + own;
    const isFree = placed.every((other) => right + GAP <= other.left || other.right + GAP <= left);
    if (own <= width && isFree) placed.push({ key, text, left, right });
  }
  return placed.map(({ key, text, left }) => ({ key, text, left }));
}

/** A segment of the window's bar, with the tokens at which it begins and ends. */
interface BarPart {
  readonly row: CompositionRow;
  readonly from: number;
  readonly to: number;
}

/** The categories with tokens, in the chart's stacking order; free space and buffer come last. */
export function barParts(rows: readonly CompositionRow[]): readonly BarPart[] {
  let from = 0;
  return rows
    .filter((row) => row.drawn && row.tokens > 0)
    .sort((a, b) => stackOrder(a) - stackOrder(b))
    .map((row) => {
      const part = { row, from, to: from + row.tokens };
      from = part.to;
      return part;
    });
}

function stackOrder(row: CompositionRow): number {
  const place = BANDS.findIndex(({ id }) => id === row.band?.id);
  return place < 0 ? BANDS.length : place;
}

const GROUPS = ["overhead", "messages", "unattributed", "freeSpace", "autocompactBuffer"] as const;
type BarGroupId = (typeof GROUPS)[number];

/** Neighbouring segments with one label. */
interface BarGroup {
  readonly id: BarGroupId;
  readonly from: number;
  readonly tokens: number;
}

/** The segments in groups: all overhead, all messages, and each of the rest by itself. */
export function barGroups(parts: readonly BarPart[]): readonly BarGroup[] {
  return GROUPS.flatMap((id) => {
    const own = parts.filter(({ row }) => groupOf(row) === id);
    const [first] = own;
    if (first === undefined) return [];
    return [{ id, from: first.from, tokens: own.reduce((sum, { row }) => sum + row.tokens, 0) }];
  });
}

function groupOf({ id, level }: CompositionRow): string {
  if (OVERHEAD_CATEGORIES.some((overhead) => overhead === id)) return "overhead";
  return level === 1 ? "messages" : id;
}
