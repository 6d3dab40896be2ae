import type { Frame } from "@/components/charts/frame";
import { textWidth } from "@/components/charts/text-width";

interface LevelLineProps {
  readonly frame: Frame;
  readonly tokens: number;
  readonly className: string;
  readonly dash?: string;
}

/** A horizontal line at a number of tokens. A level above the axis has no line. */
export function LevelLine({ frame, tokens, className, dash }: LevelLineProps) {
  if (isAbove(frame, tokens)) return null;
  const y = levelY(frame, tokens);
  return <line x1={frame.left} x2={frame.right} y1={y} y2={y} className={className} strokeDasharray={dash} />;
}

const GAP = 6;
const HEIGHT = 14;

const NO_LINES: readonly ArrayLike<number>[] = [];

interface LevelNameProps {
  readonly frame: Frame;
  readonly tokens: number;
  readonly label: string;
  /** A shorter name, if the label has no free place. */
  readonly shorter?: string;
  readonly className?: string;
  /** The end of the line with the name. */
  readonly end?: "left" | "right";
  /** Pixels at that end that are already occupied. */
  readonly inset?: number;
  /** The text for a level above the axis; without it such a level has none. */
  readonly above?: string;
  /** Lines that the name must not cover, by their values at every request. */
  readonly lines?: readonly ArrayLike<number>[];
}

/** The name of a level at one end of its line. It has a background and is drawn on top of all lines, so that none crosses it. */
export function LevelName(props: LevelNameProps) {
  const {
    frame,
    tokens,
    label,
    shorter,
    className = "fill-t2",
    end = "right",
    inset = 0,
    above,
    lines = NO_LINES,
  } = props;
  const y = isAbove(frame, tokens) ? frame.top + HEIGHT / 2 + 1 : levelY(frame, tokens);
  const places = (isAbove(frame, tokens) ? [above] : [label, shorter]).flatMap((text) => {
    if (text === undefined) return [];
    const width = textWidth(text);
    const wanted = end === "right" ? frame.right - inset - width : frame.left + GAP * 1.5 + inset;
    const start = clearStart(frame, lines, { width, y, start: wanted });
    // If every position has a line, that line stays visible between the letters.
    return [{ text, width, start, isOverLine: hidesLine(frame, lines, { width, y, start }) }];
  });
  const place = places.find(({ isOverLine }) => !isOverLine) ?? places.at(-1);
  if (place === undefined) return null;
  const { text, width, start, isOverLine } = place;
  return (
    <g data-level-name={end}>
      {!isOverLine && <rect x={start - 3} y={y - HEIGHT / 2} width={width + GAP} height={HEIGHT} fill="var(--bg)" />}
      <text
        x={end === "right" ? start + width : start}
        y={y + 4}
        textAnchor={end === "right" ? "end" : "start"}
        className={`text-xs ${className}`}
        {...(isOverLine && { stroke: "var(--bg)", strokeWidth: 3, paintOrder: "stroke" })}
      >
        {text}
      </text>
    </g>
  );
}

function isAbove(frame: Frame, tokens: number): boolean {
  return tokens > frame.y.domain[1];
}

/** Rounded to whole pixels, so that the line is sharp. */
function levelY(frame: Frame, tokens: number): number {
  return Math.round(frame.y.px(tokens)) + 0.5;
}

/** Distance that a level's name moves aside for the name of another level at the same end. */
export function nameInset(
  frame: Frame,
  tokens: number,
  other: { readonly tokens: number; readonly label: string },
): number {
  if (isAbove(frame, tokens) || isAbove(frame, other.tokens)) return 0;
  const isNear = Math.abs(levelY(frame, tokens) - levelY(frame, other.tokens)) < HEIGHT;
  return isNear ? textWidth(other.label) + 2 * GAP : 0;
}

/** Distance that each name at one end moves aside for the names before it. */
export function nameInsets(
  frame: Frame,
  levels: readonly { readonly tokens: number; readonly label: string }[],
): readonly number[] {
  const insets: number[] = [];
  for (const { tokens } of levels) {
    const aside = insets.map((inset, place) => {
      const other = levels[place];
      const own = other === undefined ? 0 : nameInset(frame, tokens, other);
      return own === 0 ? 0 : inset + own;
    });
    insets.push(Math.max(0, ...aside));
  }
  return insets;
}

/** A name of a level: its width, the height of its middle, and the preferred position of its start. */
interface NamePlace {
  readonly width: number;
  readonly y: number;
  readonly start: number;
}

/** Half the height of a name, and the distance that it keeps from a line. */
const HALF_PX = 10;
/** Distance between the tried positions. */
const STEP_PX = 16;

/**
 * A position where a name covers no line: the preferred one if free, else the nearest free one; without a free one, the preferred one.
 * @param lines the values of every line at every request
 */
export function clearStart(frame: Frame, lines: readonly ArrayLike<number>[], place: NamePlace): number {
  const { width, start } = place;
  const [first, last] = [frame.left + 6, frame.right - width - 6];
  for (let away = 0; away <= frame.plotWidth; away += STEP_PX) {
    for (const from of away === 0 ? [start] : [start - away, start + away]) {
      const isInside = away === 0 || (from >= first && from <= last);
      if (isInside && !hidesLine(frame, lines, { ...place, start: from })) return from;
    }
  }
  return start;
}

/** True if a name at a position would cover a line. */
export function hidesLine(frame: Frame, lines: readonly ArrayLike<number>[], place: NamePlace): boolean {
  return lines.some((line) => crosses(frame, line, place));
}

/** True if a line of steps passes through a name's box. A step is where the request begins. */
function crosses(frame: Frame, line: ArrayLike<number>, { width, y, start }: NamePlace): boolean {
  const from = Math.max(frame.from, Math.floor(frame.x.value(start - 4)));
  const to = Math.min(frame.to - 1, Math.ceil(frame.x.value(start + width + 4)));
  for (let request = from; request <= to; request++) {
    const [at, before] = [frame.y.px(line[request] ?? 0), frame.y.px(line[Math.max(from, request - 1)] ?? 0)];
    if (Math.min(at, before) < y + HALF_PX && Math.max(at, before) > y - HALF_PX) return true;
  }
  return false;
}
