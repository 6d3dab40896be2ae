import { type Band, bandOfCategory } from "@/components/charts/bands";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import type { WeighedItem } from "@/lib/core/metrics/items-at";
import type { CompositionRow } from "../composition/composition-rows";

/** One rectangle of the treemap: an item, the rest of its category, or a whole category. */
export interface Tile {
  readonly key: string;
  /** Id in the breakdown: a category, free space, the buffer. */
  readonly category: string;
  readonly band: Band | undefined;
  readonly tokens: number;
  /** Share of the window. */
  readonly share: number;
  readonly item: number | undefined;
  /** Whether items of the category have tiles of their own. */
  readonly isRest: boolean;
}

/** Tiles that stand together: the messages, or everything else. */
export interface TileGroup {
  readonly key: "messages" | "standing";
  readonly tiles: readonly Tile[];
}

/** Items below this share of the window get no tile of their own. */
export const LEAST_SHARE = 0.005;

/**
 * The breakdown as areas. The heaviest items have tiles of their own, cut out of their categories, so that all tiles still sum to
 * what the breakdown draws. A size below 0, such as a negative residual, has no area.
 */
export function tileGroups(rows: readonly CompositionRow[], items: readonly WeighedItem[]): readonly TileGroup[] {
  const window = rows.find(({ share }) => share > 0);
  const perToken = window === undefined ? 0 : window.share / window.tokens;
  const drawn = rows.filter(({ drawn: isDrawn, tokens }) => isDrawn && tokens > 0);
  const tiles = drawn.flatMap((row) => {
    const own = itemsWithin(row, items);
    const left = row.tokens - own.reduce((sum, { tokens }) => sum + tokens, 0);
    const rest: Tile = { ...tileOf(row), tokens: left, share: left * perToken, isRest: own.length > 0 };
    return [
      ...own.map(({ item, tokens }) => ({
        ...tileOf(row),
        key: `item ${item}`,
        tokens,
        share: tokens * perToken,
        item,
      })),
      ...(left > 0 ? [rest] : []),
    ];
  });
  const isMessage = ({ category }: Tile) => rows.some(({ id, level }) => id === category && level === 1);
  // The layout gets tiles closest to squares when they come from large to small.
  const sorted = tiles.toSorted((a, b) => b.tokens - a.tokens);
  return [
    { key: "messages" as const, tiles: sorted.filter(isMessage) },
    { key: "standing" as const, tiles: sorted.filter((tile) => !isMessage(tile)) },
  ].filter((group) => group.tiles.length > 0);
}

function tileOf({ id, band, tokens, share }: CompositionRow): Tile {
  return { key: id, category: id, band: band ?? bandOfCategory(id), tokens, share, item: undefined, isRest: false };
}

/** The items of a row's category, as long as they fit into it. */
function itemsWithin(row: CompositionRow, items: readonly WeighedItem[]): readonly WeighedItem[] {
  let left = row.tokens;
  return items.filter(({ category, tokens }) => {
    if (categoryOfCode(category) !== row.id || tokens > left) return false;
    left -= tokens;
    return true;
  });
}
