import { category, windowSource } from "@/app/i18n/messages/en/session.json";
import { profileOf } from "@/lib/agents/registry";
import { countText, usdText, withMinus } from "@/lib/core/base/number-text";
import type { ContextProfile } from "@/lib/core/context/profile";
import { bandsOfTotals, valuesOfRuns } from "@/lib/core/metrics/answered";
import type { Band, MetricUnit } from "@/lib/core/metrics/metric";
import { metricText } from "@/lib/core/metrics/metric-text";
import { metricOf } from "@/lib/core/metrics/values";
import { breakdownOfSession, replaySession } from "@/lib/queries/answers/session-answers";
import type { ReplayResult, SessionRow, SessionSummary } from "@/lib/queries/contract/schemas";
import { isLeastSession, unpricedOfBill, unpricedTexts } from "@/lib/queries/wire/least";
import { costOutsideChain, ownCost } from "@/lib/queries/wire/own-cost";
import { allRequests, recordedPeak } from "@/lib/queries/wire/recorded-facts";
import { windowSizes } from "@/lib/queries/wire/window-text";
import { windowUnderProfile } from "../read/numbers/overhead";
import type { OpenedSession } from "../sessions/opened-session";
import { contextChart } from "./chart";
import { policyName, type ReportedChoice, type Simulation, simulationOf } from "./simulation";
import { maskedItems } from "./texts";

/** A session of a report, with the context profile in force for it. */
export interface ReportedSession {
  readonly session: OpenedSession;
  readonly profile?: ContextProfile | undefined;
  /** Its bill in the list, which includes the requests of other files; default: the bill of the file alone. */
  readonly bill?: SessionRow["bill"] | undefined;
  /** The simulation to show next to the recording; default: the one that the session's page opens with. */
  readonly choice?: ReportedChoice | undefined;
}

/** Opens a session, does the work with it, and closes it. */
export type UsesSession = (work: (reported: ReportedSession) => Promise<void>) => Promise<void>;

/** A report in one HTML file. Sessions are read one after another, and their sums come first. Rejects if opening one rejects. */
export async function* reportOf(sessions: readonly UsesSession[], withText = false): AsyncGenerator<string> {
  const summaries: SessionSummary[] = [];
  const sections: string[] = [];
  for (const [at, use] of sessions.entries()) {
    await use(async (reported) => {
      summaries.push(summaryOf(reported));
      const number = sessions.length > 1 ? at + 1 : undefined;
      for await (const part of sectionOf(reported, withText, number)) sections.push(part);
    });
  }
  yield* headOf(summaries);
  yield* sections;
  yield END;
}

function summaryOf({ session: { summary }, bill }: ReportedSession): SessionSummary {
  if (bill == null) return summary;
  const { costUsd } = summary;
  return { ...summary, bill, ...(costUsd != null && { costUsd: { ...costUsd, total: ownCost({ bill, summary }) } }) };
}

/** The beginning of a report: its style, and, for several sessions, their sums. */
function* headOf(sessions: readonly SessionSummary[]): Generator<string> {
  yield HEAD;
  if (sessions.length < 2) return;
  const costs = sessions.map(({ costUsd }) => costUsd?.total ?? null);
  const known = costs.filter((cost) => cost !== null);
  yield `<h1>${countText(sessions.length)} sessions</h1>\n`;
  yield table(
    "Overview",
    ["", "Agent", "Started", "Requests", "Window", "Peak", "Compactions", "List price"],
    [
      ...sessions.map((one, at) => [
        `${at + 1}`,
        agentText(one),
        timeText(one.startedAt),
        countText(allRequests(one)),
        countText(one.contextWindow.tokens),
        countText(recordedPeak(one)),
        countText(one.compactions.length),
        costText(one),
      ]),
      [
        "All",
        "",
        "",
        countText(sum(sessions.map(allRequests))),
        "",
        "",
        countText(sum(sessions.map(({ compactions }) => compactions.length))),
        known.length === 0
          ? "n/a"
          : `${sessions.some(isLeastSession) ? "≥ " : ""}${usdText(sum(known))}${known.length < costs.length ? ` (of ${countText(known.length)} sessions)` : ""}`,
      ],
    ],
  );
  yield unpricedPart(sessions);
}

const END =
  "<footer>Estimates are marked as such by Context Replay; costs are list prices, not what was paid.</footer></main></body></html>\n";

/**
 * A session as a part of an HTML file: facts, the chart, contents of the window, boundaries, and a simulation. Numbers only, unless texts are
 * requested: no title, path, prompt or tool name. It has no script, and loads nothing from any host.
 */
async function* sectionOf(
  { bill, session, profile, choice = {} }: ReportedSession,
  withText: boolean,
  number?: number,
): AsyncGenerator<string> {
  const summary = summaryOf({ bill, session });
  const { tokensSent, peakContext, compactions } = summary;
  const contextWindow = await windowUnderProfile(session, profile);
  const simulation = await simulationOf(session, choice, profile);
  yield `<h1>${escaped(`${number === undefined ? "" : `${number}. `}${agentText(summary)}`)}</h1>
<p class="quiet">${escaped([`${timeText(summary.startedAt)} to ${timeText(summary.endedAt)}`, ...summary.models].join(" · "))}</p>\n`;
  const windowText = `${windowSizes(contextWindow)}, ${windowSource[contextWindow.source]}`;
  yield facts([
    ["Requests", countText(allRequests(summary)), requestsText(summary)],
    ["Tokens sent", countText(tokensSent ?? null), ""],
    ["Peak context", countText(recordedPeak(summary)), `of ${windowText}`],
    ["Compactions", countText(compactions.length), ""],
    [
      "Cost by list prices",
      costText(summary),
      [outsideChainText(summary), inheritedText(summary)].filter(Boolean).join("; "),
    ],
  ]);
  yield unpricedPart([summary]);
  if (simulation !== undefined) {
    for (const sentence of simulation.verdict) yield `<p class="verdict">${escaped(sentence)}</p>\n`;
    yield `<p class="quiet">${escaped(simulationText(simulation))}</p>\n`;
  }
  const replayed =
    simulation === undefined
      ? ""
      : ` The dashed line is the simulated context: ${simulationName(simulation.simulated)}.`;
  yield `<figure>${await contextChart(session, contextWindow.tokens, simulation?.contexts)}<figcaption>Recorded context at every request, by category. Vertical lines are recorded boundaries.${escaped(replayed)}</figcaption></figure>\n`;
  if (simulation !== undefined) yield outcome(simulation) + coverage(summary);
  const { breakdown } = await breakdownOfSession(session, {
    at: peakContext?.request ?? "last",
    preset: "ours",
    profile,
  });
  yield table(
    `What filled the window at request ${countText(breakdown.request)}`,
    ["Part", "Tokens", "Share of window"],
    breakdown.rows
      // Without the difference, the shares of a context above the trigger would sum to more than the window.
      .filter(({ id, tokens }) => tokens > 0 || id === "residual")
      .flatMap(({ id, tokens, parts = [] }) => [
        [category[id], countText(tokens), shareText(tokens, contextWindow.tokens)],
        ...parts
          .filter((part) => part.tokens > 0)
          .map((part) => [
            `\u2003${category[part.id]}`,
            countText(part.tokens),
            shareText(part.tokens, contextWindow.tokens),
          ]),
      ]),
  );
  yield table(
    "Recorded compactions",
    ["Line", "Trigger", "Before", "After", "Summary"],
    compactionRows(compactions, await recordedRun(session, profile)),
  );
  if (!withText) return;
  yield "<section><h2>Transcript, likely secrets masked</h2>\n";
  for await (const { index, role, kind, text } of maskedItems(session)) {
    if (text !== "") yield `<h3>${index} · ${role} · ${kind}</h3><pre>${escaped(text)}</pre>\n`;
  }
  yield "</section>\n";
}

/** Number of the requests without usage, and the estimate of their tokens where others have usage. */
function withoutUsageText(requests: number, estimated: number | undefined): string {
  return `${countText(requests)} without usage${estimated === undefined ? "" : `, about ${countText(estimated)} tokens`}`;
}

function costText(session: SessionSummary): string {
  return session.costUsd == null ? "n/a" : `${isLeastSession(session) ? "≥ " : ""}${usdText(session.costUsd.total)}`;
}

/** Requests without usage, and requests of another session, which are in no sum. */
function requestsText({ requestsWithoutUsage = 0, estimatedSent, bill }: SessionSummary): string {
  const inherited = bill?.inherited?.requests ?? 0;
  const parts = [
    ...(requestsWithoutUsage === 0 ? [] : [withoutUsageText(requestsWithoutUsage, estimatedSent)]),
    ...(inherited === 0 ? [] : [`${countText(inherited)} inherited`]),
  ];
  return parts.join("; ");
}

/** Cost of the inherited requests, which the comparison with a replay includes and the session's cost does not. */
function inheritedText({ bill }: SessionSummary): string {
  const inherited = bill?.inherited ?? null;
  return inherited === null ? "" : `inherited requests, not in this sum: ${usdText(inherited.costUsd.total)}`;
}

/** The part of the cost that the comparison with a replay leaves out. */
function outsideChainText(summary: SessionSummary): string {
  const outside = costOutsideChain({ bill: null, summary });
  if (outside === null) return "";
  const { requests, usd } = outside;
  return `${usdText(usd)} of it for ${countText(requests)} ${requests === 1 ? "request" : "requests"} outside the main chain`;
}

/** Sentence under the outcome if its cost covers other requests than the session's cost at the top. */
function coverage(summary: SessionSummary): string {
  const inherited = summary.bill?.inherited?.requests ?? 0;
  const outside = costOutsideChain({ bill: null, summary })?.requests ?? 0;
  const parts = [
    ...(inherited === 0 ? [] : [`include inherited requests (${countText(inherited)})`]),
    ...(outside === 0 ? [] : [`leave out requests outside the main chain (${countText(outside)})`]),
  ];
  if (parts.length === 0) return "";
  return `<p class="quiet">${escaped(`The costs in this table ${parts.join(", and ")}, unlike the session's own cost above.`)}</p>\n`;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** Sentences on models without a price. */
function unpricedPart(summaries: readonly SessionSummary[]): string {
  return unpricedTexts(summaries.flatMap(({ bill }) => unpricedOfBill(bill)))
    .map((text) => `<p>${escaped(text)}</p>\n`)
    .join("");
}

function recordedRun(session: OpenedSession, profile: ContextProfile | undefined): Promise<ReplayResult> {
  return replaySession(session, { policy: "recorded" }, profile);
}

/** Rows of the recorded compactions, with the sizes that the page shows. The context after a compaction at the end is never sent. */
function compactionRows(
  compactions: SessionSummary["compactions"],
  { compactions: sizes, totals }: ReplayResult,
): readonly (readonly string[])[] {
  const word = (trigger: string) => (trigger === "auto" ? "automatic" : trigger);
  return compactions.map(({ line, trigger, inferredTrigger }, index) => {
    const {
      request = totals.requests,
      tokensBefore = null,
      tokensAfter = null,
      summaryTokens = 0,
    } = sizes[index] ?? {};
    return [
      countText(line),
      inferredTrigger == null ? word(trigger) : `${word(inferredTrigger)} (inferred)`,
      countText(tokensBefore),
      countText(request < totals.requests ? tokensAfter : null),
      countText(summaryTokens === 0 ? null : summaryTokens),
    ];
  });
}

/** The simulation in words: policy, window, counting and prices, and the settings that are not at their default. */
function simulationText({ simulated, changed }: Simulation): string {
  const { window, counting, estimator, costTerms } = simulated;
  const { ttl, on, priceDate } = costTerms;
  return [
    `Simulated: ${simulationName(simulated)}`,
    ...(changed.length === 0 ? ["every setting at its default"] : changed),
    `window ${countText(window.tokens)}`,
    `counting ${counting} by ${estimator}`,
    `cache TTL ${ttl === "recorded" ? "as recorded" : ttl}`,
    `prices ${on === null ? "" : `of ${on}, `}${priceDate === "recorded" ? "of each request's day" : `of ${priceDate}`}`,
  ].join(" · ");
}

function simulationName({ policy, preset }: Simulation["simulated"]): string {
  return `${policyName(policy)}, ${preset}`;
}

/** Metrics of the recording and of the replay, in rows. */
function outcome({ recorded: was, simulated: is, difference }: Simulation): string {
  const [recordedBands, simulatedBands]: readonly Readonly<Record<string, Band | undefined>>[] = [
    bandsOfTotals(was.totals),
    bandsOfTotals(is.totals),
  ];
  return table(
    `Recorded, and replayed under ${simulationName(is)}`,
    ["Metric", "Recorded", "Replayed", "Change"],
    difference.flatMap((row) => {
      const { metric, apart } = row;
      const [recorded = null, simulated = null] = valuesOfRuns(row, [was, is]);
      const { unit = "count", text } = metricOf(metric) ?? {};
      const label = text?.replay;
      if (label === undefined || (recorded === null && simulated === null)) return [];
      const isCompared = recorded !== null && simulated !== null && apart.length === 0;
      const change = isCompared ? changeText(unit, simulated - recorded, recorded) : "";
      return [
        [
          capital(label),
          metricText(unit, recorded, recordedBands?.[metric]?.lowerBound),
          metricText(unit, simulated, simulatedBands?.[metric]?.lowerBound),
          change,
        ],
      ];
    }),
  );
}

/** A signed difference, with its share of the recorded value where that says more: `−$0.07 (−1 %)`. */
function changeText(unit: MetricUnit, difference: number, recorded: number): string {
  const sign = difference > 0 ? "+" : difference < 0 ? "−" : "±";
  const text = `${sign}${metricText(unit, Math.abs(difference))}`;
  if (difference === 0 || recorded === 0 || (unit !== "tokens" && unit !== "dollars")) return text;
  return `${text} (${sign}${((Math.abs(difference) / recorded) * 100).toFixed(0)} %)`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function agentText({ agent, format, agentVersion }: SessionSummary): string {
  const name = profileOf(agent ?? format)?.label ?? agent ?? format;
  return agentVersion === null ? name : `${name} ${agentVersion}`;
}

/** A recorded time to the minute, in UTC, because a report is read in other time zones too. */
function timeText(time: string | null): string {
  return time === null ? "n/a" : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

function shareText(tokens: number, window: number): string {
  return `${withMinus(((tokens / window) * 100).toFixed(1))} %`;
}

function facts(entries: readonly (readonly [name: string, value: string, note: string])[]): string {
  const cell = ([name, value, note]: (typeof entries)[number]) =>
    `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>${note === "" ? "" : `<dd class="quiet">${escaped(note)}</dd>`}</div>`;
  return `<dl>${entries.map(cell).join("")}</dl>\n`;
}

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  const head = heads.some((one) => one !== "") ? `<thead>${line(heads, "th")}</thead>` : "";
  // On a narrow screen a wide table scrolls by itself, so it must be focusable by keyboard.
  return `<section tabindex="0" aria-label="${escaped(title)}"><h2>${escaped(title)}</h2><table>${head}<tbody>${rows.map((cells) => line(cells, "td")).join("")}</tbody></table></section>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Colours and type of the page. Source: app/palette.css. */
const STYLE = `:root{color-scheme:light}body{font:14px/1.5 "Inter Variable",Inter,system-ui,sans-serif;color:#18181b;background:#fff;margin:0}main{max-width:960px;margin:0 auto;padding:24px}header{display:flex;align-items:center;gap:8px;font-weight:600;padding-bottom:16px;border-bottom:1px solid #e4e4e7}header span{font-weight:400;color:#52525b;margin-left:auto}h1{font-size:22px;line-height:1.3;margin:24px 0 0}h2{font-size:15px;margin:28px 0 6px}h3{font-size:12px;color:#52525b;margin:12px 0 2px}p{margin:4px 0}.quiet{color:#52525b;font-size:13px}.verdict{font-size:16px;border-left:3px solid #c2410c;padding-left:12px;margin:20px 0}dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));gap:12px;margin:16px 0}dl div{border:1px solid #e4e4e7;border-radius:6px;padding:10px 12px;background:#fafafa}dt{color:#52525b;font-size:12px}dd{margin:0;font-size:18px;font-weight:600;font-variant-numeric:tabular-nums}dd.quiet{font-size:12px;font-weight:400}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px;margin:0}figure{margin:24px 0}section{overflow-x:auto}svg{width:100%;height:auto}header svg{width:20px}figcaption,footer{color:#52525b;font-size:12px}footer{margin-top:32px;padding-top:12px;border-top:1px solid #e4e4e7}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th{color:#52525b;font-size:12px;font-weight:500}td,th{padding:4px 16px 4px 0;text-align:right;border-bottom:1px solid #e4e4e7}td:first-child,th:first-child{text-align:left}td:last-child,th:last-child{padding-right:0}@media print{main{padding:0;max-width:none}section{overflow:visible}table,figure,dl{break-inside:avoid}h2{break-after:avoid}dl div{background:none}}`;

const MARK =
  '<svg viewBox="0 0 18 18" aria-hidden="true"><path d="M1 16V13L9 5V16Z" fill="#18181b"/><path d="M10 16V12L17 7V16Z" fill="#18181b" opacity=".45"/><path d="M9.5 1V17" stroke="#c2410c" stroke-width="1.5"/></svg>';

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Context Replay: a session in numbers</title><style>${STYLE}</style></head><body><main>
<header>${MARK}Context Replay<span>a session in numbers</span></header>
`;
