import type { KeyboardEvent } from "react";
import { bandInk, bandPaint } from "@/components/charts/band-paint";
import { textWidth } from "@/components/charts/text-width";
import type { Tile } from "./tiles";

export interface TileWords {
  /** First and second line of the label. */
  readonly title: string;
  readonly detail: string;
  /** The full label, for the tooltip and for screen readers. */
  readonly whole: string;
}

interface TileViewProps {
  readonly tile: Tile;
  readonly words: TileWords;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** True if this tile is the Tab stop; the treemap has only one. */
  readonly isStop: boolean;
  readonly onOpen: (item: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: (key: string) => void;
}

const PADDING = 6;
const LINE = 15;
/** A title that does not fit into one line has several, above the line of its detail. */
const MAX_TITLE_LINES = 3;

/** One tile, as a button if it is an item of the transcript. */
export function TileView({ tile, words, x, y, width, height, isStop, onOpen, onKeyDown, onFocus }: TileViewProps) {
  const { item } = tile;
  const body = (
    <>
      <title>{words.whole}</title>
      <TileArea tile={tile} x={x} y={y} width={width} height={height} />
      <TileLabel tile={tile} words={words} x={x} y={y} width={width} height={height} />
    </>
  );
  if (item === undefined) return <g data-tile={tile.category}>{body}</g>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a shape cannot be a button element
    <g
      role="button"
      tabIndex={isStop ? 0 : -1}
      aria-label={words.whole}
      data-tile="item"
      data-key={tile.key}
      className="group cursor-pointer outline-none"
      onClick={() => onOpen(item)}
      onFocus={() => onFocus(tile.key)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          onOpen(item);
        } else onKeyDown(event);
      }}
    >
      {body}
      <rect
        x={x + 2}
        y={y + 2}
        width={Math.max(0, width - 4)}
        height={Math.max(0, height - 4)}
        fill="none"
        stroke={bandInk(tile.band)}
        strokeWidth="2"
        className="opacity-0 group-hover:opacity-40 group-focus-visible:opacity-100"
      />
    </g>
  );
}

type AreaProps = Pick<TileViewProps, "tile" | "x" | "y" | "width" | "height">;

function TileArea({ tile, x, y, width, height }: AreaProps) {
  const box = { x, y, width, height };
  if (tile.band !== undefined) return <rect {...box} fill={bandPaint(tile.band)} stroke="var(--bg)" />;
  if (tile.category === "autocompactBuffer") {
    return <rect {...box} fill="url(#buffer-hatch)" stroke="var(--line2)" />;
  }
  const inner = { x: x + 0.5, y: y + 0.5, width: Math.max(0, width - 1), height: Math.max(0, height - 1) };
  return <rect {...inner} fill="var(--bg)" stroke="var(--line2)" strokeDasharray="3 2" />;
}

/** An item's name and its size, in two lines if one is too narrow. A size is written in full or not at all. */
function detailLines(detail: string, room: number, most: number): readonly string[] {
  const lines = labelLines(detail, room, Math.min(most, 2));
  if (lines.at(-1)?.endsWith("…") !== true) return lines;
  const kind = detail.slice(0, Math.max(0, detail.lastIndexOf(" ")));
  return kind === "" ? [] : labelLines(kind, room, 1);
}

function TileLabel({ tile, words, x, y, width, height }: AreaProps & { readonly words: TileWords }) {
  const room = width - 2 * PADDING;
  const fitting = Math.floor((height - 6) / LINE);
  if (room < 28 || fitting < 1) return null;
  const titles = labelLines(words.title, room, Math.min(MAX_TITLE_LINES, Math.max(1, fitting - 1)));
  const lines = [...titles, ...detailLines(words.detail, room, fitting - titles.length)];
  const isPlated = tile.band?.fill !== "solid";
  const wide = Math.min(width - 2, Math.max(...lines.map(textWidth)) + 2 * PADDING);
  return (
    // Text wider than estimated is truncated at the tile's edge.
    <svg
      aria-hidden="true"
      x={x}
      y={y}
      width={width - 1}
      height={height}
      pointerEvents="none"
      fill={bandInk(tile.band)}
      fontSize="11"
    >
      {isPlated && <rect x={1} y={1} width={wide} height={lines.length * LINE + 6} fill="var(--bg)" />}
      {lines.map((line, index) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity beyond their place
          key={index}
          x={PADDING}
          y={(index + 1) * LINE}
          fontWeight={index < titles.length ? 500 : undefined}
        >
          {line}
        </text>
      ))}
    </svg>
  );
}

/** Minimum width of a line, in pixels, that may end within a word. */
const MIN_WIDTH_WITHIN_WORD = 56;

/** Characters after which a line may end. */
const BREAKS = /[\s\-_/.:;)\]}]/;
/** Characters before which a line may end, as in the name of a file. */
const MARKS = /[_.]/;

/**
 * A label in lines that fit into a width: broken after a space or a mark near the edge, else anywhere. A truncated last line ends
 * with "…".
 * @param most lines
 */
export function labelLines(text: string, room: number, most: number): readonly string[] {
  if (most < 1) return [];
  const lines: string[] = [];
  let rest = text.trim();
  while (lines.length < most - 1 && textWidth(rest) > room) {
    const fitting = fittingLength(rest, room);
    const end = lastBreak(rest, fitting);
    // A break near the start would waste the line, and pieces of a few letters are unreadable.
    const hasBreak = end > fitting / 4;
    // Chinese may be broken anywhere.
    const isWithinWord = !hasBreak && (rest.codePointAt(fitting) ?? 0) < 0x2e80;
    if (isWithinWord && room < MIN_WIDTH_WITHIN_WORD) break;
    const at = hasBreak ? end : fitting;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? lines : [...lines, truncated(rest, room)];
}

/** Length of the part of a text that fits, in code units; at least its first character. */
function fittingLength(text: string, room: number): number {
  let [width, length] = [0, 0];
  for (const character of text) {
    width += textWidth(character);
    if (width > room && length > 0) break;
    length += character.length;
  }
  return length;
}

/** The last possible break of a text within the part that fits; 0 if there is none. */
function lastBreak(text: string, length: number): number {
  // A space may be beyond the edge, since it is invisible.
  for (let end = Math.min(text.length, length + 1); end > 0; end--) {
    const [last, next] = [text[end - 1] ?? "", text[end] ?? ""];
    if (end <= length ? BREAKS.test(last) || MARKS.test(next) : last === " ") return end;
  }
  return 0;
}

/** A text truncated to a width, with an ellipsis. */
function truncated(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  const short = text.slice(0, Math.min(60, fittingLength(text, room - textWidth("…"))));
  return `${short.trimEnd()}…`;
}
