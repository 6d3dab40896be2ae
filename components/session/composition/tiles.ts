import { type Band, bandOfCategory } from "@/components/charts/bands";
import type { WeighedItem } from "@/lib/core/analysis/items-at";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import type { CompositionRow } from "../shared/context/composition-rows";

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
  /** Number of items, for the tile of a category's smaller items. */
  readonly smaller: number | undefined;
}

/** Adjacent tiles: the messages, or everything else. */
interface TileGroup {
  readonly key: "messages" | "other";
  readonly tiles: readonly Tile[];
}

/** Items below this share of the window get no separate tile, because its label would be unreadable. */
const MIN_SHARE = 0.006;

const MAX_ITEM_TILES = 24;

/**
 * The breakdown as areas. The largest items have tiles of their own, taken out of their categories, so that all tiles still sum
 * to the drawn breakdown. A size below 0, such as a negative residual, has no area.
 * @param items of the messages, largest first
 */
export function tileGroups(rows: readonly CompositionRow[], items: readonly WeighedItem[]): readonly TileGroup[] {
  const window = rows.find(({ share }) => share > 0);
  const perToken = window === undefined ? 0 : window.share / window.tokens;
  const drawn = rows.filter(({ drawn: isDrawn, tokens }) => isDrawn && tokens > 0);
  const heaviest = items.slice(0, MAX_ITEM_TILES).filter(({ tokens }) => tokens * perToken >= MIN_SHARE);
  const counts = countByCategory(items);
  const tiles = drawn.flatMap((row) => {
    const own = itemsWithin(row, heaviest);
    const left = row.tokens - own.reduce((sum, { tokens }) => sum + tokens, 0);
    const smaller = own.length > 0 ? (counts.get(row.id) ?? 0) - own.length : undefined;
    const rest: Tile = { ...tileOf(row), tokens: left, share: left * perToken, smaller };
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
  // The layout gives tiles closest to squares if they come from large to small.
  const sorted = tiles.toSorted((a, b) => b.tokens - a.tokens);
  return [
    { key: "messages" as const, tiles: sorted.filter(isMessage) },
    { key: "other" as const, tiles: sorted.filter((tile) => !isMessage(tile)) },
  ].filter((group) => group.tiles.length > 0);
}

function tileOf({ id, band, tokens, share }: CompositionRow): Tile {
  return {
    key: id,
    category: id,
    band: band ?? bandOfCategory(id),
    tokens,
    share,
    item: undefined,
    smaller: undefined,
  };
}

/** The items of a row's category that fit into it. */
function itemsWithin(row: CompositionRow, items: readonly WeighedItem[]): readonly WeighedItem[] {
  let left = row.tokens;
  return items.filter(({ category, tokens }) => {
    if (categoryOfCode(category) !== row.id || tokens > left) return false;
    left -= tokens;
    return true;
  });
}

function countByCategory(items: readonly WeighedItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { category } of items) {
    const id = categoryOfCode(category);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
