import { countText, usdText } from "@/lib/core/base/number-text";
import type { SessionPage, SessionRow } from "@/lib/queries/contract/schemas";
import { isLeastSession, isLeastTogether, unpricedOfBill, unpricedTexts } from "@/lib/queries/wire/least";
import { ownCost } from "@/lib/queries/wire/own-cost";
import { allRequests } from "@/lib/queries/wire/recorded-facts";
import { listQuery } from "@/lib/server/list/list-query";
import type { ExitCode } from "../process/exit";
import { aligned } from "../text/aligned";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { type ListOptions, read, withList } from "./list-server";

export interface SessionsOptions extends ListOptions {
  readonly sort?: string;
  /** Maximum number of sessions; default: all. */
  readonly limit?: number;
}

/** Sessions per query. */
const PAGE = 200;

/** `sessions [DIR…]`: prints matching sessions, one per line. */
export async function sessions(dirs: readonly string[], options: SessionsOptions): Promise<ExitCode> {
  const { where = [], search: q, tz, sort = "-modified", limit = Number.POSITIVE_INFINITY } = options;
  return withList(dirs, options, async (server) => {
    const rows: SessionRow[] = [];
    let left = limit;
    for (let cursor: string | null | undefined; cursor !== null && left > 0; ) {
      const query = listQuery.parse({ where, q, tz, sort, limit: Math.min(PAGE, left), cursor });
      const page: SessionPage = read(await server.listing.list(query));
      left -= page.sessions.length;
      cursor = page.nextCursor;
      if (options.json) for (const row of page.sessions) await write(`${JSON.stringify(row)}\n`);
      else rows.push(...page.sessions);
    }
    const unpriced = rows.flatMap(({ bill }) => unpricedOfBill(bill));
    if (rows.length > 0) await write(`${[table(rows), ...unpricedTexts(unpriced).map(printable)].join("\n")}\n`);
  });
}

function table(rows: readonly SessionRow[]): string {
  const columns = COLUMNS.filter(({ name, of }) => !FOR_SOME.has(name) || rows.some((row) => of(row) !== ""));
  return aligned(
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ of }) => of(row))),
    columns.map(({ side }) => side ?? "right"),
  );
}

interface Column {
  readonly name: string;
  readonly side?: "left";
  readonly of: (row: SessionRow) => string;
}

const COLUMNS: readonly Column[] = [
  { name: "modified", side: "left", of: ({ modifiedAt }) => modifiedAt?.slice(0, 16).replace("T", " ") ?? "n/a" },
  { name: "agent", side: "left", of: ({ agent }) => agent ?? "n/a" },
  { name: "requests", of: ({ summary }) => countText(summary && allRequests(summary)) },
  {
    name: "without usage",
    of: ({ summary }) => (summary?.requestsWithoutUsage ? countText(summary.requestsWithoutUsage) : ""),
  },
  { name: "inherited", of: ({ bill }) => (bill?.inherited ? countText(bill.inherited.requests) : "") },
  { name: "compactions", of: ({ summary }) => countText(summary?.compactions.length ?? null) },
  { name: "cost", of: (row) => costText(ownCost(row), row.summary !== null && isLeastSession(row.summary)) },
  {
    name: "with subagents",
    of: (row) => {
      const { bill, summary } = row;
      return bill?.subagents ? costText(withSubagents(row), summary !== null && isLeastTogether(summary, bill)) : "";
    },
  },
  { name: "title", side: "left", of: ({ title, name }) => title ?? name },
];

/** Columns that are omitted if they are empty for all sessions. */
const FOR_SOME: ReadonlySet<string> = new Set(["without usage", "inherited", "with subagents"]);

function withSubagents(row: SessionRow): number | null {
  const [own, subagents] = [ownCost(row), row.bill?.subagents?.costUsd.total ?? null];
  return own === null || subagents === null ? null : own + subagents;
}

function costText(usd: number | null, isLeast: boolean): string {
  return usd === null ? "n/a" : `${isLeast ? "≥ " : ""}${usdText(usd)}`;
}
