import { useState } from "react";
import { useTranslations } from "use-intl";
import { Swatch } from "@/components/charts/band-paint";
import { ExportedTable } from "@/components/export/exported-table";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import type { Grouping } from "@/lib/core/analysis/contributor-groups";
import type { Contributors } from "@/lib/core/analysis/contributors";
import { dollarsOf } from "@/lib/core/cost/money";
import { useMicroUsd } from "../shared/cost/use-cost";
import { ItemIcon, itemLabel } from "../shared/items/item-label";
import { ItemNameAndLine } from "../shared/items/item-line";
import { pathParts } from "../shared/items/preview";
import { type ItemTexts, useItemTexts } from "../shared/items/use-item-texts";
import { useSession, useViewActions } from "../shared/state/stores";
import type { ContributorSort } from "../shared/state/url-state";
import type { ContributorRow } from "./contributor-rows";
import { directionOf, SortButton } from "./sort-button";

/** Number of rows shown at first, and added by each press. */
const STEP = 40;

interface ContributorsTableProps {
  readonly rows: readonly ContributorRow[];
  readonly totals: Contributors;
  readonly by: Grouping;
  readonly sort: ContributorSort;
  readonly up: boolean;
  readonly simulated: boolean;
  readonly onSort: (key: ContributorSort) => void;
}

/** Every contributor with its tokens at the request, which sum to the context, and its tokens × requests, which sum to all sent tokens. */
export function ContributorsTable({ rows, totals, by, sort, up, simulated, onSort }: ContributorsTableProps) {
  const t = useTranslations("contributors");
  const category = useTranslations("session.category");
  const format = useFormat();
  const usd = useMicroUsd();
  const [shown, setShown] = useState(STEP);
  const listed = rows.slice(0, shown);
  const texts = useItemTexts(by === "message" ? listed.flatMap(({ item }) => item ?? []) : []);
  const drawn = ({ share, sentShare, cost }: ContributorRow): number =>
    sort === "tokens" ? share : sort === "cost" ? (cost ?? 0) : sentShare;
  const most = rows.reduce((max, row) => Math.max(max, drawn(row)), 0);
  /** The last column: a turn's growth, a message's items, or the number of calls. */
  const lastMetric = ({ kind, growth, items, calls }: ContributorRow): string => {
    if (by === "turn") return growth === undefined ? "" : format.difference(growth.growth);
    if (kind === "category" || kind === "unattributed") return "";
    return format.count(by === "message" ? items : calls);
  };
  const lastValue = ({ kind, growth, items, calls }: ContributorRow): number | null => {
    if (by === "turn") return growth?.growth ?? null;
    if (kind === "category" || kind === "unattributed") return null;
    return by === "message" ? items : calls;
  };
  const wordsOf = ({ kind, index, name: own = "" }: ContributorRow): string => {
    if (kind === "turn") return index < 0 ? t("beforeTurns") : t("turn", { turn: index });
    if (kind === "message") return t("message", { message: index });
    if (kind === "server" && own === "") return t("ownTools");
    // A category id of the columns; each of them has a message.
    return kind === "category" || kind === "unattributed" ? category((own || kind) as "messages") : own;
  };
  const sortable = (key: ContributorSort, label: string) => ({
    name: label,
    head: <SortButton column={key} label={label} sort={sort} up={up} onSort={onSort} />,
    numeric: key !== "name",
    sorted: key === sort ? directionOf(key, up) : undefined,
  });
  return (
    <div className="min-w-0">
      <ExportedTable
        data-testid="contributors"
        allRows={rows}
        note={t("note")}
        className="table-fixed"
        caption={t("caption", { name: t(`column.name.${by}`), request: totals.request })}
        rows={listed}
        rowKey={({ key }) => key}
        rowProps={({ key }) => ({ "data-contributor": key })}
        columns={[
          {
            ...sortable("name", t(`column.name.${by}`)),
            foot: t("sum"),
            namesRow: true,
            value: wordsOf,
            headClass: "w-auto",
            cellClass: "h-7 max-w-0 px-0",
            cell: (row) => <ContributorName row={row} texts={texts} />,
          },
          {
            head: <span className="sr-only">{t("column.bar")}</span>,
            className: "max-lg:hidden",
            headClass: "w-28",
            cell: (row) => <ShareBar share={most > 0 ? drawn(row) / most : 0} simulated={simulated} />,
          },
          {
            ...sortable("tokens", t("column.tokens")),
            foot: (
              <span data-testid="contributors-sum">
                {format.count(rows.reduce((sum, { tokens }) => sum + tokens, 0))}
              </span>
            ),
            headClass: "w-20 max-md:w-17",
            cellProps: ({ tokens }) => ({ className: tokens === 0 ? "text-t3" : "font-medium" }),
            cell: ({ tokens }) => format.count(tokens),
            value: ({ tokens }) => tokens,
          },
          {
            head: t("column.share"),
            foot: format.percent(totals.context > 0 ? 1 : 0, 1),
            numeric: true,
            className: "max-md:hidden",
            headClass: "w-20",
            cellClass: "text-t2",
            cell: ({ share }) => format.percent(share, 1),
            value: ({ share }) => share,
          },
          {
            ...sortable("residency", t("column.residency")),
            foot: format.sum(rows.reduce((sum, { residency }) => sum + residency, 0)),
            headClass: "w-34 max-md:w-22",
            cellProps: ({ residency }) => ({ title: format.count(residency) }),
            cell: ({ residency }) => format.sum(residency),
            value: ({ residency }) => residency,
          },
          {
            head: t("column.sentShare"),
            foot: format.percent(totals.sent > 0 ? 1 : 0, 1),
            numeric: true,
            className: "max-md:hidden",
            headClass: "w-18",
            cellClass: "text-t2",
            cell: ({ sentShare }) => format.percent(sentShare, 1),
            value: ({ sentShare }) => sentShare,
          },
          {
            ...sortable("cost", t("column.cost")),
            foot: (
              <span data-testid="contributors-cost">
                <Value>{usd(totals.inputCost)}</Value>
              </span>
            ),
            className: "max-md:hidden",
            headClass: "w-22",
            cell: ({ cost }) => <Value>{usd(cost)}</Value>,
            value: ({ cost }) => (cost === undefined ? null : dollarsOf(cost)),
          },
          {
            ...(by === "turn"
              ? sortable("growth", t("column.growth"))
              : sortable("items", by === "message" ? t("column.items") : t("column.calls"))),
            className: "max-md:hidden",
            headClass: by === "turn" ? "w-20" : "w-16",
            cellClass: "text-t2",
            cell: lastMetric,
            value: lastValue,
          },
        ]}
      />
      {rows.length > shown && (
        <div className="mt-2 flex flex-wrap items-center gap-x-3">
          <Button variant="ghost" onClick={() => setShown(shown + STEP)}>
            {t("more", { count: Math.min(STEP, rows.length - shown) })}
          </Button>
          <span className="text-sm text-t3" data-testid="contributors-shown">
            {t("shown", { shown, total: rows.length })}
          </span>
        </div>
      )}
    </div>
  );
}

/**
 * The length of a bar relative to the largest one.
 * @param share 0 to 1
 */
function ShareBar({ share, simulated }: { readonly share: number; readonly simulated: boolean }) {
  return (
    <svg aria-hidden="true" width="100%" height="8" className="block">
      <rect width={`${share * 100}%`} height="8" rx="1" className={simulated ? "fill-accent" : "fill-t2"} />
    </svg>
  );
}

interface ContributorNameProps {
  readonly row: ContributorRow;
  readonly texts: ItemTexts;
}

/** A contributor's name. Pressing it opens the contributor's largest item in the transcript. */
function ContributorName({ row, texts }: ContributorNameProps) {
  const t = useTranslations("contributors");
  const { openItem } = useViewActions();
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
      <span className="font-mono">{base}</span> <span className="text-sm text-t3">{folder}</span>
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
      {index < 0 ? t("beforeTurns") : t("turn", { turn: index })} <span className="text-sm text-t3">{requests}</span>
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
  const { columns } = useSession("columns");
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
