import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { pathParts } from "../contributors/contributor-rows";
import { useSession } from "../state/session-data";
import { answeredCall } from "../transcript/answered-call";
import { itemLabel } from "../transcript/item-label";
import { previewLine } from "../transcript/preview";
import { useItemTexts } from "../transcript/use-item-texts";
import type { TileWords } from "./tile-view";
import type { Tile } from "./tiles";

/** The text of every tile: a result shows its file or what its call asked for, any other item its first line. */
export function useTileWords(tiles: readonly Tile[]): (tile: Tile) => TileWords {
  const t = useTranslations("session");
  const format = useFormat();
  const { columns, summary } = useSession();
  const telling = (item: number): number => answeredCall(columns, item) ?? item;
  const texts = useItemTexts(tiles.flatMap(({ item }) => (item === undefined ? [] : [telling(item)])));

  const itemTitle = (item: number): readonly [string, string] => {
    const { word, tool, file } = itemLabel(columns, item);
    const kind = tool ?? t(`item.${word === "overhead" ? "context" : word}`);
    if (file !== undefined) return [pathParts(file).base, kind];
    const text = texts.textOf(telling(item));
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
