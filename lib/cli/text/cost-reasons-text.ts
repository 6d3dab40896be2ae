import { countedText, countText, isSameUsd, usdText } from "@/lib/core/base/number-text";
import { paidAfter } from "@/lib/core/cost/break-even";
import type { Cost } from "@/lib/queries/contract/schemas";
import { aligned } from "./aligned";

/** Reasons for a cache miss, in words. */
export const CAUSES = {
  first: "first request",
  compaction: "compaction or clearing",
  recorded: "named by the provider",
  model: "other model, effort or speed",
  idle: "idle for too long",
  resume: "another process",
  unexplained: "unexplained",
} as const;

/** The most expensive requests, each with its main reason. */
export function mostExpensiveLines({ dearest: mostExpensive, costUsd }: Cost): readonly string[] {
  if (mostExpensive.length === 0) return [];
  const sign = costUsd.lowerBound === true ? "≥ " : "";
  const rows = mostExpensive.map((one) => [`request ${one.request}`, `${sign}${usdText(one.usd)}`, whyText(one)]);
  return ["", aligned(["most expensive", "cost", "mostly"], rows, ["left", "right", "left"])];
}

function whyText({ because, cause, parts, tokens, item }: Cost["dearest"][number]): string {
  const [usd, count] = [usdText(parts[because]), countText(tokens[because])];
  switch (because) {
    case "again":
      return `cache miss, ${cause === null ? "" : `${CAUSES[cause]}: `}${count} uncached tokens for ${usd} more than cache reads`;
    case "read":
      return `reading the cache: ${count} tokens for ${usd}`;
    case "output":
      return `the answer: ${count} tokens for ${usd}`;
    case "fresh":
      return `${cause === "first" ? "first request" : "new text"}: ${count} tokens for ${usd}${itemText(item)}`;
    default:
      return because satisfies never;
  }
}

function itemText(item: Cost["dearest"][number]["item"]): string {
  if (item === null) return "";
  const kind = item.isCall ? "call of " : "result of ";
  const name = [item.tool === null ? [] : `${kind}${item.tool}`, item.file ?? []].flat().join(" ");
  return name === "" ? "" : `; largest: ${name}, about ${countText(item.tokens)}`;
}

/** Cost of every recorded compaction, and the requests until it pays for itself. */
export function boundaryLines({ boundaries }: Cost): readonly string[] {
  if (boundaries.length === 0) return [];
  const rows = boundaries.map((one) => [
    `request ${one.request}`,
    usdText(one.rewritingUsd),
    one.callIsRecorded || one.callUsd === null ? usdText(one.callUsd) : `${usdText(one.callUsd)} (est.)`,
    usdText(one.usd),
    paysText(one),
  ]);
  return ["", aligned(["compaction before", "uncached", "its call", "together", "paid after"], rows)];
}

function paysText({ breakEven, neverPays }: Cost["boundaries"][number]): string {
  if (neverPays) return "never";
  return breakEven === null ? "n/a" : countedText(paidAfter(breakEven), "request");
}

/** Effects of another schedule or cache TTL: one sentence each, with its parts. */
export function whatIfNotes({ whatIf: { beforeBreaks, lifetimes: ttls } }: Pick<Cost, "whatIf">): readonly string[] {
  return [
    ...(beforeBreaks === null ? [] : [beforeBreaksText(beforeBreaks)]),
    ...(ttls === null ? [] : [ttlsText(ttls)]),
  ];
}

function beforeBreaksText(found: NonNullable<Cost["whatIf"]["beforeBreaks"]>): string {
  const { pauses, compactions, behindPausesUsd, laterUsd, callsUsd, savedUsd, assumed } = found;
  const title = "Compacting before every pause longer than the cache TTL";
  if (pauses === 0) return `${title}: there was none.`;
  const left = `${assumed.leftIsRecorded ? "" : "assumed "}${countText(assumed.left)} tokens`;
  if (compactions === 0) return `${title}: before none of ${pauses} was there more than a compaction leaves (${left}).`;
  const calls = compactions === 1 ? "its summary costs" : `${compactions} summaries cost`;
  const parts = `${usdText(behindPausesUsd)} less after the pauses, ${usdText(laterUsd)} less later, and ${calls} ${usdText(callsUsd)}`;
  const change = savedUsd < 0 ? `cost ${usdText(-savedUsd)} more` : `save ${usdText(savedUsd)}`;
  return `${title} (${compactions} of ${pauses}, leaving ${left}) would ${change}: ${parts}.`;
}

function ttlsText(found: NonNullable<Cost["whatIf"]["lifetimes"]>): string {
  const { shortUsd, longUsd, pauses, dearerWritesUsd, warmPausesUsd } = found;
  const difference = longUsd - shortUsd;
  const which = isSameUsd(shortUsd, longUsd)
    ? "they cost the same"
    : `an hour is ${usdText(Math.abs(difference))} ${difference < 0 ? "cheaper" : "more expensive"}`;
  const parts = `writes cost ${usdText(dearerWritesUsd)} more, ${pauses} pauses of between five minutes and an hour save ${usdText(warmPausesUsd)}`;
  return `All writes for five minutes: ${usdText(shortUsd)}, for an hour: ${usdText(longUsd)}; ${which}: ${parts}.`;
}
