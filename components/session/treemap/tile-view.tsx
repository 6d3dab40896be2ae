import type { KeyboardEvent } from "react";
import { bandInk, bandPaint } from "@/components/charts/band-paint";
import { textWidth } from "@/components/charts/text-width";
import type { Tile } from "./tiles";

export interface TileWords {
  /** First and second line of the label. */
  readonly title: string;
  readonly detail: string;
  /** The whole label, for the pointer and for screen readers. */
  readonly whole: string;
}

interface TileViewProps {
  readonly tile: Tile;
  readonly words: TileWords;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether this tile is the Tab stop; only one of the tiles is. */
  readonly isStop: boolean;
  readonly onOpen: (item: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: (key: string) => void;
}

const PADDING = 6;
const LINE = 15;

/** One tile; a button where it is an item of the transcript. */
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

function TileLabel({ tile, words, x, y, width, height }: AreaProps & { readonly words: TileWords }) {
  const room = width - 2 * PADDING;
  if (room < 28 || height < LINE + 6) return null;
  const title = cut(words.title, room);
  const detail = height < 2 * LINE + 6 ? "" : cut(words.detail, room);
  const isPlated = tile.band?.fill !== "solid";
  const wide = Math.min(width - 2, Math.max(textWidth(title), textWidth(detail)) + 2 * PADDING);
  return (
    // Text that turns out wider than estimated is cut off at the tile's edge.
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
      {isPlated && <rect x={1} y={1} width={wide} height={(detail === "" ? 1 : 2) * LINE + 6} fill="var(--bg)" />}
      <text x={PADDING} y={LINE} fontWeight="500">
        {title}
      </text>
      {detail !== "" && (
        <text x={PADDING} y={2 * LINE}>
          {detail}
        </text>
      )}
    </svg>
  );
}

/** As much of a text as fits, with an ellipsis. */
function cut(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  let short = text.slice(0, 60);
  while (short.length > 1 && textWidth(`${short}…`) > room) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}
