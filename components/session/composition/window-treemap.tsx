import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { Treemap, type TreemapNode } from "recharts";
import { useTranslations } from "use-intl";
import { useSize } from "@/components/charts/use-size";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import type { WeighedItem } from "@/lib/core/analysis/items-at";
import type { CompositionRow } from "../shared/context/composition-rows";
import { itemLabel } from "../shared/items/item-label";
import { pathParts, previewLine } from "../shared/items/preview";
import { useItemTexts } from "../shared/items/use-item-texts";
import { answeredCall } from "../shared/state/rows";
import { useSession, useViewActions } from "../shared/state/stores";
import { TileView, type TileWords } from "./tile-view";
import { type Tile, tileGroups } from "./tiles";

interface WindowTreemapProps {
  readonly rows: readonly CompositionRow[];
  /** The items in the window, largest first. */
  readonly items: readonly WeighedItem[];
  /** Source of the numbers. */
  readonly note: string;
}

/** The window by area: the same numbers as the table, with separate tiles for the largest items. */
export function WindowTreemap({ rows, items, note }: WindowTreemapProps) {
  const t = useTranslations("session.composition");
  const { openItem } = useViewActions();
  const [ref, { width, height }] = useSize<HTMLDivElement>();
  const groups = useMemo(() => tileGroups(rows, items), [rows, items]);
  const data = useMemo(() => treeOf(groups), [groups]);
  const tiles = groups.flatMap((group) => group.tiles);
  const words = useTileWords(tiles);
  const stops = useTileStops(tiles);
  const image = useRef<HTMLElement>(null);
  return (
    <section ref={image} className="min-w-0">
      <h2 className="flex h-6 items-center justify-between gap-4 border-b border-line text-sm font-medium text-t3">
        <span>{t("treemapTitle")}</span>
        <span className="grow" data-image="off">
          <ExportMenu name={t("treemapTitle")} note={note} image={image} isSmall />
        </span>
        <span className="truncate font-normal max-md:hidden">{t("treemapHint")}</span>
      </h2>
      {/* biome-ignore lint/a11y/useSemanticElements: no field set: these are places to go to */}
      <div ref={ref} role="group" aria-label={t("treemap")} data-testid="treemap" className="mt-2 h-90 md:h-110">
        {width > 0 && (
          <Treemap
            width={width}
            height={height}
            data={data}
            dataKey="tokens"
            nameKey="key"
            aspectRatio={1.4}
            isAnimationActive={false}
            content={(node: TreemapNode) => {
              const tile = tileOfNode(node);
              if (tile === undefined) return <g />;
              return (
                <TileView
                  tile={tile}
                  words={words(tile)}
                  x={node.x}
                  y={node.y}
                  width={node.width}
                  height={node.height}
                  isStop={stops.isStop(tile)}
                  onFocus={stops.onFocus}
                  onKeyDown={stops.onKeyDown}
                  onOpen={openItem}
                />
              );
            }}
          />
        )}
      </div>
    </section>
  );
}

function treeOf(groups: ReturnType<typeof tileGroups>) {
  return groups.map(({ key, tiles }) => ({
    key,
    children: tiles.map((tile) => ({ key: tile.key, tokens: tile.tokens, tile })),
  }));
}

/** The tile of a tree node; groups and the root have none. */
function tileOfNode(node: TreemapNode): Tile | undefined {
  // Recharts passes a leaf's own fields through.
  return (node as TreemapNode & { readonly tile?: Tile }).tile;
}

/** Makes the items one Tab stop; arrow keys move to their neighbours. */
function useTileStops(tiles: readonly Tile[]) {
  const [last, setLast] = useState<string>();
  const items = tiles.filter(({ item }) => item !== undefined);
  const stop = items.find(({ key }) => key === last) ?? items[0];
  const latest = useRef(items);
  latest.current = items;
  return {
    isStop: (tile: Tile) => tile.key === stop?.key,
    onFocus: setLast,
    onKeyDown: (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const at = latest.current.findIndex(({ key }) => key === event.currentTarget.getAttribute("data-key"));
      const next = latest.current[(at + by + latest.current.length) % latest.current.length];
      const target = event.currentTarget.closest("svg")?.querySelector(`[data-key="${next?.key}"]`);
      if (target instanceof SVGElement) target.focus();
    },
  };
}

/** The text of every tile: a result shows its file or the argument of its call, any other item its first line. */
function useTileWords(tiles: readonly Tile[]): (tile: Tile) => TileWords {
  const t = useTranslations("session");
  const format = useFormat();
  const { columns, summary } = useSession("columns", "summary");
  // A result is described by its call.
  const describingItem = (item: number): number => answeredCall(columns, item) ?? item;
  const texts = useItemTexts(tiles.flatMap(({ item }) => (item === undefined ? [] : [describingItem(item)])));

  const itemTitle = (item: number): readonly [string, string] => {
    const { word, tool, file } = itemLabel(columns, item);
    const kind = tool ?? t(`item.${word === "overhead" ? "context" : word}`);
    if (file !== undefined) return [pathParts(file).base, kind];
    const text = texts.textOf(describingItem(item));
    const line = text === undefined ? "" : previewLine(text.text, text.kind, summary.project);
    return [line === "" ? kind : line, kind];
  };
  return (tile) => {
    const tokens = format.count(tile.tokens);
    // A category id of the breakdown; each of them has a message.
    const category = t(`category.${tile.category}` as "category.messages");
    const [title, kind] = tile.item === undefined ? [category, ""] : itemTitle(tile.item);
    const name = tile.smaller === undefined ? title : t("composition.rest", { name: category, count: tile.smaller });
    const whole = kind === "" || kind === name ? name : format.list([name, kind]);
    return {
      title: name,
      detail: kind === "" || kind === name ? tokens : `${kind} ${tokens}`,
      whole: t("composition.tile", { name: whole, tokens, share: format.percent(tile.share, 1) }),
    };
  };
}
