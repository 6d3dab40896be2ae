import type { SessionPage, SessionRow } from "@/lib/api/contract";
import { countText } from "@/lib/core/base/count-text";
import { usdText } from "@/lib/core/base/usd-text";
import { listQuery } from "@/lib/server/catalog/list/list-query";
import type { ExitCode } from "../exit";
import { aligned } from "../text/aligned";
import { write } from "../text/output";
import { type ListOptions, read, withList } from "./list-server";

export interface SessionsOptions extends ListOptions {
  readonly sort?: string;
  /** The most sessions; all without it. */
  readonly limit?: number;
}

/** How many sessions are asked for at once. */
const PAGE = 200;

/** `sessions [DIR…]`: the sessions that match, one a line. */
export async function sessions(dirs: readonly string[], options: SessionsOptions): Promise<ExitCode> {
  const { where = [], search: q, sort = "-modified", limit = Number.POSITIVE_INFINITY } = options;
  return withList(dirs, options, async (server) => {
    const rows: SessionRow[] = [];
    let left = limit;
    for (let cursor: string | null | undefined; cursor !== null && left > 0; ) {
      const query = listQuery.parse({ where, q, sort, limit: Math.min(PAGE, left), cursor });
      const page: SessionPage = read(await server.listing.list(query));
      left -= page.sessions.length;
      cursor = page.nextCursor;
      if (options.json) for (const row of page.sessions) await write(`${JSON.stringify(row)}\n`);
      else rows.push(...page.sessions);
    }
    if (rows.length > 0) await write(`${table(rows)}\n`);
  });
}

function table(rows: readonly SessionRow[]): string {
  const sides = ["left", "left", "right", "right", "right", "left"] as const;
  return aligned(
    ["modified", "agent", "requests", "compactions", "cost", "title"],
    rows.map(({ modifiedAt, agent, summary, title, name }) => [
      modifiedAt?.slice(0, 16).replace("T", " ") ?? "n/a",
      agent ?? "n/a",
      countText(summary?.requests ?? null),
      countText(summary?.compactions.length ?? null),
      summary?.costUsd?.total == null ? "n/a" : usdText(summary.costUsd.total),
      title ?? name,
    ]),
    sides,
  );
}
