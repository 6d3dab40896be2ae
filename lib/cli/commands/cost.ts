import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import type { Prices } from "@/lib/core/prices/prices";
import { costOfSession } from "@/lib/queries/answers/session-answers";
import type { Cost, CostUsd } from "@/lib/queries/contract/schemas";
import { type CostTerms, priceChoice } from "@/lib/queries/cost/cost-terms";
import { requestMetrics } from "@/lib/queries/cost/request-metrics";
import { isLeast, unpricedOfBill, unpricedTexts } from "@/lib/queries/wire/least";
import { byCost, subagentPart } from "@/lib/queries/wire/subagent-part";
import { pricesOf } from "@/lib/server/base/prices";
import { joinedParts, ownMetrics } from "@/lib/server/list/index/own-metrics";
import type { Related } from "@/lib/server/list/relations/relations";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { costTermsOf, LIST_PRICES, type PriceOptions, termsNotes } from "../input/price-options";
import type { ReadingOptions } from "../input/session-file";
import { onceOnly } from "../input/standard-input";
import { subagentsOf } from "../input/subagent-files";
import type { ExitCode } from "../process/exit";
import { aligned } from "../text/aligned";
import { billNotes, boundedUsd, fromText, inheritedText } from "../text/bill-text";
import { boundaryLines, CAUSES, mostExpensiveLines, whatIfNotes } from "../text/cost-reasons-text";
import { printable } from "../text/printable";
import { answerEach } from "./each-file";

export interface CostOptions extends ReadingOptions, PriceOptions {
  readonly json?: boolean;
}

/** `cost FILE…`: prints session costs at list prices, in the order given. Reports unreadable files and continues. */
export async function cost(files: readonly string[], options: CostOptions): Promise<ExitCode> {
  onceOnly(files);
  const prices = pricesOf(options.prices);
  const terms = costTermsOf(options);
  const costOf = (session: OpenedSession, path: string, runner: TaskRunner) =>
    costWithSubagents(path, session, runner, terms, prices);
  return answerEach<"cost">(files, options, costOf, readable);
}

/** A session's cost together with the cost of its subagents in other files. Requests in several files count once. */
async function costWithSubagents(
  path: string,
  session: OpenedSession,
  runner: TaskRunner,
  terms: CostTerms,
  prices: Prices,
): Promise<Cost> {
  const cost = costOfSession(session, terms, prices);
  const { related, subagents } = await subagentsOf(path, session, runner);
  if (subagents.length === 0) return cost;
  const billOf = ({ columns, requestKeys }: OpenedSession, { elsewhere }: Pick<Related, "elsewhere">) => {
    const choice = priceChoice(terms, prices);
    const metrics = requestMetrics(columns, prices, undefined, [], [], choice);
    const { classes, models } = requestKeys;
    const kept = { classes, models, metrics, startedAt: 0 };
    return ownMetrics(
      kept,
      elsewhere.map(({ row }) => row),
      [],
    ).bill;
  };
  const isShared = (one: Related | undefined): one is Related => one !== undefined && one.elsewhere.length > 0;
  const parts = subagents.map(({ session: one, related: found }) =>
    isShared(found) ? billOf(one, found) : costOfSession(one, terms, prices).bill,
  );
  const inFile = isShared(related) ? billOf(session, related).subagents : cost.bill.subagents;
  const all = [inFile, ...parts.flatMap(({ own, branches, compactions }) => [own, branches, compactions])];
  const part = joinedParts(all.filter((one) => one !== null));
  const each = subagents
    .map(({ session: { summary } }, at) => subagentPart(summary.file, summary.title ?? "", parts[at] ?? cost.bill))
    .sort(byCost);
  return { ...cost, bill: { ...cost.bill, subagents: part && { ...part, files: subagents.length, each } } };
}

const PARTS = ["read", "write", "plain", "output", "total"] as const;

function readable(answer: Cost): string {
  const { file, requests, costUsd } = answer;
  const lines = [
    `${printable(file)}: ${sumText(answer)}`,
    ...(Object.keys(answer.byModel).length === 0 ? [] : ["", modelTable(answer)]),
    ...mostExpensiveLines(answer),
    ...breakLines(answer),
    ...boundaryLines(answer),
    ...(requests === 0 ? [] : [""]),
    ...[...whatIfNotes(answer), ...notes(answer)].map((note) => `  ${printable(note)}`),
    ...(costUsd.total === null ? [] : [`  ${LIST_PRICES}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function sumText(answer: Cost): string {
  const { costUsd, priced } = answer;
  const { branches, compactions, passes } = answer.bill;
  // The sum includes requests that were paid for but are not in the context.
  const outside = (branches?.requests ?? 0) + (compactions?.requests ?? 0);
  const requests = (answer.requests || (passes?.requests ?? 0)) + outside;
  if (requests === 0) return "n/a, no request records its usage";
  const { own, inherited } = answer.bill;
  if (own === null && inherited !== null && outside === 0)
    return `nothing of its own: ${countedText(requests, "request")}, all of them inherited${fromText(inherited)}`;
  const count = `${countedText(requests, "request")}${inheritedText(inherited)}`;
  if (costUsd.total === null) return `n/a, ${shareText(priced)} of ${count} ${requests === 1 ? "has" : "have"} a price`;
  return `${boundedUsd({ ...costUsd, lowerBound: isLeast(answer) })} for ${count}, ${usdText(costUsd.input)} of it for input`;
}

function modelTable({ byModel, costUsd }: Cost): string {
  const sign = costUsd.lowerBound === true ? "≥ " : "";
  const row = (name: string, requests: string, one: Pick<CostUsd, (typeof PARTS)[number]>) => [
    name,
    requests,
    ...PARTS.map((part) => (part === "output" || part === "total" ? bounded(sign, one[part]) : usdText(one[part]))),
  ];
  const models = Object.entries(byModel).map(([model, one]) =>
    row(model || "(no model)", countText(one.requests), one),
  );
  const sum = models.length > 1 ? [row("all", "", costUsd)] : [];
  return aligned(["model", "requests", ...PARTS], [...models, ...sum]);
}

function bounded(sign: string, amount: number | null): string {
  return amount === null ? usdText(amount) : `${sign}${usdText(amount)}`;
}

function breakLines({ breaksByCause }: Cost): readonly string[] {
  if (breaksByCause === null) return [];
  const rows = Object.entries(CAUSES).flatMap(([cause, label]) => {
    const sum = breaksByCause[cause as keyof typeof CAUSES]; // The keys are those of CAUSES.
    return sum === undefined ? [] : [[label, countText(sum.count), countText(sum.tokens), usdText(sum.usd)]];
  });
  const growth = ["new text", "", countText(breaksByCause.growth.tokens), ""];
  return rows.length === 0
    ? []
    : ["", aligned(["uncached because of", "times", "tokens", "extra cost"], [...rows, growth])];
}

function notes({
  on,
  priceDate,
  repriced,
  unpricedTerms,
  impossibleFigures,
  withTtl,
  cacheRule,
  ownCost,
  undividedWrites,
  webSearches,
  costUsd,
  bill,
  prices,
}: Cost): readonly string[] {
  return [
    ...unpricedTexts(unpricedOfBill(bill)),
    ...termsNotes({ on, priceDate }),
    ...repriced.map((model) => `The price of ${model} changed during the session: each request has that of its day.`),
    ...unpricedTerms.map(({ model, terms }) => `There is no listed price of ${model} in the tier ${terms}.`),
    ...(impossibleFigures === 0 ? [] : [impossibleText(impossibleFigures)]),
    ...(withTtl === null ? [] : [`With all writes for ${withTtl.ttl}: ${boundedUsd(withTtl.costUsd)}.`]),
    ...(cacheRule === null || cacheRule.pairs === 0 ? [] : [ruleText(cacheRule)]),
    ...(ownCost === null ? [] : [ownText(ownCost)]),
    ...(undividedWrites === 0
      ? []
      : [
          `The file does not state the cache TTL of ${countedText(undividedWrites, "request")}: five minutes are assumed.`,
        ]),
    ...billNotes(bill),
    ...(bill.subagents === null
      ? []
      : [
          `Besides: ${countedText(bill.subagents.requests, "request")} of subagents ${subagentFilesText(bill.subagents.files)}, ${boundedUsd(bill.subagents.costUsd)}${togetherText(costUsd, bill.subagents.costUsd)}.`,
          ...subagentTexts(bill.subagents.each ?? []),
        ]),
    ...(webSearches.count === 0
      ? []
      : [`Besides: ${countText(webSearches.count)} searches on the web, ${usdText(webSearches.usd)}.`]),
    ...[...new Set(prices.map(({ source, seen }) => `Prices of ${seen}: ${source}.`))],
  ];
}

/** Subagents listed for a person. JSON has all. */
const MAX_SUBAGENTS = 10;

function subagentTexts(each: NonNullable<NonNullable<Cost["bill"]["subagents"]>["each"]>): readonly string[] {
  const rest = each.length - MAX_SUBAGENTS;
  return [
    ...each.slice(0, MAX_SUBAGENTS).map((one) => {
      const cost = boundedUsd({ total: one.usd, lowerBound: one.lowerBound });
      return `  ${[one.session, one.title, countedText(one.requests, "request"), cost].filter((part) => part !== "").join(", ")}`;
    }),
    ...(rest > 0 ? [`  … ${countedText(rest, "more subagent")}`] : []),
  ];
}

function subagentFilesText(files = 0): string {
  return files === 0 ? "in the file" : `(${countedText(files, "file")} beside this one)`;
}

/** Cost of a session together with its subagents. */
function togetherText(own: CostUsd, subagents: CostUsd): string {
  if (own.total === null || subagents.total === null) return "";
  const lowerBound = own.lowerBound === true || subagents.lowerBound === true;
  return `; together ${boundedUsd({ ...own, total: own.total + subagents.total, lowerBound })}`;
}

function impossibleText(count: number): string {
  const [numbers, they] = count === 1 ? ["1 number", "It counts"] : [`${countText(count)} numbers`, "They count"];
  return `${numbers} in the file cannot be right, such as a negative count (inspect names the lines). ${they} as not recorded, so the cost may be too low.`;
}

function ruleText({ pairs, exact, within2, costError }: NonNullable<Cost["cacheRule"]>): string {
  const error = costError === null ? "" : `; by the rule the input would have cost ${signedPercent(costError)}`;
  return `Cache rule: predicted ${countText(exact)} of ${countText(pairs)} reads exactly, ${countText(within2)} within 2 %${error}.`;
}

function ownText({ requests, own, ours, reasoningTwice }: NonNullable<Cost["ownCost"]>): string {
  const why = reasoningTwice ? "; it adds reasoning to an output that already includes it" : "";
  return `The file itself states ${usdText(own)} for ${countedText(requests, "request")}; by list prices they cost ${usdText(ours)}${why}.`;
}

function signedPercent(share: number): string {
  return `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)} %`;
}

function shareText(share: number | null): string {
  return share === null ? "n/a" : `${Math.floor(share * 100)} %`;
}
