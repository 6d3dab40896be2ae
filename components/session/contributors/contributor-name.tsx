import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { useSession } from "../state/session-data";
import { usePlaces } from "../state/use-places";
import { ItemIcon } from "../transcript/item-icon";
import { itemLabel } from "../transcript/item-label";
import { ItemNameAndLine } from "../transcript/item-line";
import type { ItemTexts } from "../transcript/use-item-texts";
import { type ContributorRow, pathParts } from "./contributor-rows";

interface ContributorNameProps {
  readonly row: ContributorRow;
  readonly texts: ItemTexts;
}

/** A contributor's name. Pressing it opens the contributor's largest item in the transcript. */
export function ContributorName({ row, texts }: ContributorNameProps) {
  const t = useTranslations("contributors");
  const { openItem } = usePlaces();
  const { item } = row;
  const classes = "flex h-7 w-full min-w-0 items-center gap-2 px-2 text-left touch:h-10";
  if (item === undefined) {
    return (
      <span className={classes}>
        <Name row={row} texts={texts} />
      </span>
    );
  }
  return (
    <button
      type="button"
      title={row.kind === "file" ? row.name : t("open")}
      onClick={() => openItem(item)}
      className={`${classes} -outline-offset-2 hover:bg-sunk`}
    >
      <Name row={row} texts={texts} />
    </button>
  );
}

function Name({ row, texts }: ContributorNameProps) {
  const t = useTranslations("contributors");
  const category = useTranslations("session.category");
  const { kind, index, name = "" } = row;
  switch (kind) {
    case "category":
    case "unattributed":
      return (
        <>
          {row.band !== undefined && <Swatch band={row.band} />}
          {/* A category id of the columns; each of them has a message. */}
          <span className="truncate text-t2">{category((name || kind) as "messages")}</span>
        </>
      );
    case "tool":
      return <span className="truncate font-mono">{name}</span>;
    case "server":
      return name === "" ? t("ownTools") : <span className="truncate font-mono">{name}</span>;
    case "file":
      return <Path path={name} />;
    case "turn":
      return <Turn row={row} />;
    case "message":
      return <Message index={index} item={row.item} texts={texts} />;
  }
}

function Path({ path }: { readonly path: string }) {
  const { base, folder } = pathParts(path);
  return (
    <span className="min-w-0 truncate">
      <span className="font-mono">{base}</span> <span className="text-xs text-t3">{folder}</span>
    </span>
  );
}

function Turn({ row: { index, growth } }: { readonly row: ContributorRow }) {
  const t = useTranslations("contributors");
  const requests =
    growth === undefined
      ? ""
      : t(growth.firstRequest === growth.lastRequest ? "oneRequest" : "requests", {
          from: growth.firstRequest,
          to: growth.lastRequest,
        });
  return (
    <span className="min-w-0 truncate">
      {index < 0 ? t("beforeTurns") : t("turn", { turn: index })} <span className="text-xs text-t3">{requests}</span>
    </span>
  );
}

interface MessageProps {
  readonly index: number;
  readonly item: number | undefined;
  readonly texts: ItemTexts;
}

function Message({ index, item = -1, texts }: MessageProps) {
  const t = useTranslations("contributors");
  const { columns } = useSession();
  const label = itemLabel(columns, item);
  return (
    <>
      <span className="w-10 shrink-0 text-right text-t3 max-md:hidden">{t("message", { message: index })}</span>
      <ItemIcon word={label.word} />
      <span className="min-w-0 truncate">
        <ItemNameAndLine label={label} {...texts.lineOf(item)} />
      </span>
    </>
  );
}
