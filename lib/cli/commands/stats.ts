import { profileOf } from "@/lib/agents/registry";
import type { Facet } from "@/lib/core/base/facet-keys";
import { countedText, countText, durationText, usdText } from "@/lib/core/base/number-text";
import type { InsightsAnswer, SessionFacets, SessionSums } from "@/lib/queries/contract/schemas";
import { isLowerBoundSum, unpricedTexts } from "@/lib/queries/wire/least";
import { insightsQuery } from "@/lib/server/insights/overview";
import { facetsQuery } from "@/lib/server/list/facets";
import type { ExitCode } from "../process/exit";
import { aligned } from "../text/aligned";
import { findingLines } from "../text/findings-text";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { type ListOptions, read, withList } from "./list-server";

export interface StatsOptions extends ListOptions {
  readonly by: Facet;
}

/** `stats [DIR…] --by KEY`: sums matching sessions, one line per value of the key, and findings over all of them. */
export async function stats(dirs: readonly string[], options: StatsOptions): Promise<ExitCode> {
  const { by, where = [], search: q, tz, json } = options;
  return withList(dirs, options, async (server) => {
    const answer: SessionFacets = read(
      await server.listing.facets(facetsQuery.parse({ by: [by], where, q, tz, limit: 10_000 })),
    );
    const { findings, deletedSoon }: InsightsAnswer = read(
      await server.listing.overview(insightsQuery.parse({ by, where, q, tz, limit: 1 })),
    );
    if (json) await write(`${JSON.stringify({ ...answer, findings, deletedSoon })}\n`);
    else if (answer.total.sessions > 0)
      await write(`${[text(by, answer), ...foundText(findings), ...deletedText(deletedSoon)].join("\n")}\n`);
  });
}

function text(by: StatsOptions["by"], { total, facets, breaksByCause }: SessionFacets): string {
  const head = [by, "sessions", "requests", "sent", "output", "compactions", "compacting", "cost"];
  const none = by === "subagent" ? "main chain" : "n/a";
  const rows = [...(facets[by] ?? []).map((sums) => line(printable(sums.value ?? none), sums)), line("all", total)];
  const breaks = breaksByCause.map(({ cause, count, tokens, usd }) => [
    cause,
    countText(count),
    countText(tokens),
    cost(usd, false),
  ]);
  return [
    aligned(head, rows),
    ...unpricedTexts(total.unpricedModels ?? []).map(printable),
    ...(breaks.length === 0 ? [] : ["", aligned(["cache misses", "", "tokens", "cost"], breaks)]),
  ].join("\n");
}

function foundText(findings: InsightsAnswer["findings"]): string[] {
  return findings.length === 0 ? [] : ["", "findings", ...findingLines(findings)];
}

function deletedText(deleted: InsightsAnswer["deletedSoon"]): string[] {
  const lines = deleted.map(
    ({ agent, sessions, within, days }) =>
      `${countedText(sessions, "session")} will be deleted by ${profileOf(agent)?.label ?? agent} within ${within} days (${days} days after the last change)`,
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

function line(name: string, sums: SessionSums): string[] {
  const { sessions, requests, sent, output, compactions, compactingMs, pricedUsd } = sums;
  const counts = [sessions, requests, sent, output, compactions].map(countText);
  return [name, ...counts, durationText(compactingMs), cost(pricedUsd, isLowerBoundSum(sums))];
}

/** An amount, and whether it is a lower bound: some sessions lack a price, or not all output is recorded. */
function cost(usd: number | null, isLeast: boolean): string {
  if (usd === null) return "n/a";
  return `${isLeast ? "≥ " : ""}${usdText(usd)}`;
}
