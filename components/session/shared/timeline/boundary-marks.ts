import {
  freePlace,
  type LabelSide,
  labelSides,
  shortLabelSides,
  type Taken,
  takenBy,
} from "@/components/charts/boundary-labels";
import type { Frame } from "@/components/charts/frame";
import { textWidth } from "@/components/charts/text-width";
import type { BoundaryKind } from "../boundaries/entries";

/** The parts of a boundary that the timeline draws. */
export interface DrawnBoundary {
  readonly request: number;
  readonly tokensBefore: number;
  /** `null` after the last request. */
  readonly tokensAfter: number | null;
}

/** A compaction, drawn as a line over the whole height. */
export interface LineMark {
  /** Position of the first represented boundary in the list of boundaries. */
  readonly ordinal: number;
  readonly px: number;
  /** Number of compactions that it represents: those too close to be distinguished share a mark. */
  readonly count: number;
  /** Absent if there is no space. */
  readonly label?: string;
  readonly side: LabelSide;
}

/** The name of a stretch of short ticks. */
interface StretchName {
  readonly px: number;
  readonly text: string;
}

interface Tick {
  readonly px: number;
  /** True if the tick represents a compaction; it is longer then. */
  readonly isCompaction: boolean;
}

/** The boundaries inside a frame. */
export interface Marks {
  /** Compactions with enough space for a line of their own. */
  readonly lines: readonly LineMark[];
  /** Positions of all others, with at most one tick in two pixels of the frame's width. */
  readonly ticks: readonly Tick[];
  /** Number of boundaries that the ticks represent. */
  readonly ticked: number;
  readonly names: readonly StretchName[];
}

export interface MarkOptions<T> {
  readonly kindOf: (boundary: T) => BoundaryKind;
  /** Writes a size; `null` after the last request. */
  readonly short: (tokens: number | null) => string;
  /** Names a number of boundaries of a kind; without it there are no names and labels. */
  readonly nameOf?: ((kind: BoundaryKind, count: number) => string) | undefined;
  /** Lines of another lane that cross this one. */
  readonly crossing?: readonly number[];
}

/** Lines closer than this are merged. A policy that fires at every request would otherwise draw thousands. */
const NEAR_PX = 3;
/** `CROWD` or more lines in a row, each closer than this to the next, are drawn as ticks. */
const CROWD_PX = 48;
const CROWD = 5;
const TICK_PX = 2;

interface Visible<T> {
  readonly ordinal: number;
  readonly px: number;
  readonly kind: BoundaryKind;
  readonly boundary: T;
}

interface Merged<T> extends Visible<T> {
  /** Positions of all boundaries that it represents. */
  readonly ordinals: number[];
}

/**
 * The marks of boundaries: separate compactions as lines, all others as short ticks with one name per stretch. The plot stays visible behind any
 * number of them. Boundaries come in order.
 */
export function boundaryMarks<T extends DrawnBoundary>(
  boundaries: readonly T[],
  frame: Frame,
  options: MarkOptions<T>,
): Marks {
  const visible = visibleIn(boundaries, frame, options.kindOf);
  const lines = apart(merged(visible.filter(({ kind }) => kind === "compaction")));
  const drawn = new Set(lines.flatMap(({ ordinals }) => ordinals));
  const others = visible.filter(({ ordinal }) => !drawn.has(ordinal));
  const { nameOf } = options;
  const { labels, taken } = labelled(lines, frame, options);
  const walls = [...lines.map(({ px }) => px), ...(options.crossing ?? [])].sort((a, b) => a - b);
  return {
    lines: lines.map(({ ordinal, px, ordinals }, index) => {
      const count = ordinals.length;
      return { ordinal, px, count, side: "none", ...labels[index] };
    }),
    ticks: ticksOf(others),
    ticked: others.length,
    names: nameOf === undefined ? [] : stretchNames(others, walls, taken, frame, nameOf),
  };
}

/** The lines' labels, and the occupied parts of the lane. Without enough space a label has only the size after compaction. */
function labelled<T extends DrawnBoundary>(
  lines: readonly Merged<T>[],
  frame: Frame,
  { nameOf, short, crossing = [] }: MarkOptions<T>,
): { readonly labels: readonly Pick<LineMark, "label" | "side">[]; readonly taken: Taken } {
  if (nameOf === undefined) return { labels: [], taken: [] };
  const whole = lines.map(({ px, boundary, ordinals }) => marked(px, wholeLabel(boundary, ordinals.length, short)));
  const after = lines.map(({ px, boundary }) => marked(px, afterLabel(boundary, short)));
  const sides = labelSides(whole, frame.left, frame.right, crossing);
  const shorter = shortLabelSides(after, sides, takenBy(whole, sides, crossing), [frame.left, frame.right]);
  const taken = [...takenBy(whole, sides, crossing), ...takenBy(after, shorter, [])];
  return {
    labels: sides.map((side, index) => {
      const isWhole = side !== "none";
      const label = (isWhole ? whole : after)[index]?.label ?? "";
      const place = isWhole ? side : (shorter[index] ?? "none");
      return place === "none" ? { side: place } : { side: place, label };
    }),
    taken: taken.sort(([one], [other]) => one - other),
  };
}

function marked(px: number, label: string) {
  return { px, label, width: textWidth(label) };
}

function visibleIn<T extends DrawnBoundary>(
  boundaries: readonly T[],
  frame: Frame,
  kindOf: (boundary: T) => BoundaryKind,
): readonly Visible<T>[] {
  const visible: Visible<T>[] = [];
  boundaries.forEach((boundary, ordinal) => {
    const { request } = boundary;
    if (request < frame.from || request > frame.to) return;
    visible.push({ ordinal, px: frame.x.px(request), kind: kindOf(boundary), boundary });
  });
  return visible;
}

function merged<T>(compactions: readonly Visible<T>[]): readonly Merged<T>[] {
  const marks: Merged<T>[] = [];
  for (const one of compactions) {
    const last = marks.at(-1);
    if (last !== undefined && one.px - last.px < NEAR_PX) last.ordinals.push(one.ordinal);
    else marks.push({ ...one, ordinals: [one.ordinal] });
  }
  return marks;
}

/** The marks outside dense groups: single ones, and groups smaller than `CROWD`. */
function apart<T>(marks: readonly Merged<T>[]): readonly Merged<T>[] {
  const lines: Merged<T>[] = [];
  let crowd: Merged<T>[] = [];
  const close = (): void => {
    if (crowd.length < CROWD) lines.push(...crowd);
    crowd = [];
  };
  for (const mark of marks) {
    const last = crowd.at(-1);
    if (last !== undefined && mark.px - last.px >= CROWD_PX) close();
    crowd.push(mark);
  }
  close();
  return lines;
}

function ticksOf(others: readonly Visible<unknown>[]): readonly Tick[] {
  const ticks: Tick[] = [];
  for (const { px, kind } of others) {
    const last = ticks.at(-1);
    const isCompaction = kind === "compaction";
    if (last === undefined || px - last.px >= TICK_PX) ticks.push({ px, isCompaction });
    else if (isCompaction) ticks[ticks.length - 1] = { px: last.px, isCompaction };
  }
  return ticks;
}

/** Names the ticks between neighbouring lines. A name starts where its ticks begin if there is space, else anywhere between the two lines. */
function stretchNames(
  others: readonly Visible<unknown>[],
  walls: readonly number[],
  taken: Taken,
  frame: Frame,
  nameOf: (kind: BoundaryKind, count: number) => string,
): readonly StretchName[] {
  const names: StretchName[] = [];
  const ends = [frame.left, ...walls, frame.right];
  let at = 0;
  for (let index = 1; index < ends.length; index++) {
    const [start = frame.left, end = frame.right] = [ends[index - 1], ends[index]];
    const counts = new Map<BoundaryKind, number>();
    const first = others[at]?.px ?? end;
    for (let one = others[at]; one !== undefined && (one.px < end || index === ends.length - 1); one = others[++at]) {
      counts.set(one.kind, (counts.get(one.kind) ?? 0) + 1);
    }
    if (counts.size === 0 || end - start < MIN_NAME_PX) continue;
    const texts = [...counts].map(([kind, count]) => nameOf(kind, count));
    // Tries the names of all kinds, then only the first one.
    for (const text of new Set([texts.join(", "), `${texts[0]} …`])) {
      const width = textWidth(text);
      const px = freePlace(taken, width, first, end) ?? freePlace(taken, width, start, end);
      if (px === undefined) continue;
      names.push({ px, text });
      break;
    }
  }
  return names;
}

/** Every name is at least this wide. */
const MIN_NAME_PX = 40;

function wholeLabel(first: DrawnBoundary, count: number, short: MarkOptions<DrawnBoundary>["short"]): string {
  return `${count === 1 ? "" : `${count} × `}${short(first.tokensBefore)} ${afterLabel(first, short)}`;
}

function afterLabel({ tokensAfter }: DrawnBoundary, short: MarkOptions<DrawnBoundary>["short"]): string {
  return `→ ${short(tokensAfter)}`;
}
