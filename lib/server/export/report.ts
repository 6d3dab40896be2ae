import { policyById } from "@/lib/agents/registry";
import { countText, usdText } from "@/lib/core/base/number-text";
import type { ContextProfile } from "@/lib/core/context/profile";
import { bandsOfTotals } from "@/lib/core/metrics/answered";
import { spokenMetrics } from "@/lib/core/metrics/metric-text";
import { FIGURES } from "@/lib/core/metrics/registry";
import { breakdownOfSession, replaySession } from "@/lib/queries/answers/questions";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { presetOfVersion } from "@/lib/queries/session/session-context";
import { unpricedOfBill, unpricedTexts } from "@/lib/queries/wire/least";
import { windowSizes, windowSourceText } from "@/lib/queries/wire/window-text";
import { windowUnderProfile } from "../read/numbers/standing";
import type { OpenedSession } from "../sessions/opened-session";
import { contextChart } from "./chart";
import { maskedItems } from "./texts";

/** A session of a report, with the context profile in force for it. */
export interface ReportedSession {
  readonly session: OpenedSession;
  readonly profile?: ContextProfile | undefined;
}

/** Opens a session, does the work with it, and lets it go. */
export type UsesSession = (work: (reported: ReportedSession) => Promise<void>) => Promise<void>;

/** A report in one HTML file. Sessions are read one after the other, and what they come to stands before them. Rejects as those who open them. */
export async function* reportOf(sessions: readonly UsesSession[], withText = false): AsyncGenerator<string> {
  const summaries: SessionSummary[] = [];
  const sections: string[] = [];
  for (const [at, use] of sessions.entries()) {
    await use(async (reported) => {
      summaries.push(reported.session.summary);
      const number = sessions.length > 1 ? at + 1 : undefined;
      for await (const part of sectionOf(reported, withText, number)) sections.push(part);
    });
  }
  yield* headOf(summaries);
  yield* sections;
  yield END;
}

/** How a report begins: its style, and, where it holds several sessions, what they come to. */
function* headOf(sessions: readonly SessionSummary[]): Generator<string> {
  yield HEAD;
  if (sessions.length < 2) return;
  const costs = sessions.map(({ costUsd }) => costUsd?.total ?? null);
  const known = costs.filter((cost) => cost !== null);
  yield `<h1>${countText(sessions.length)} sessions</h1>\n`;
  yield table(
    "Overview",
    ["", "agent", "from", "requests", "window", "peak", "compactions", "cost by list prices"],
    [
      ...sessions.map((one, at) => [
        `${at + 1}`,
        `${one.agent ?? one.format}${one.agentVersion === null ? "" : ` ${one.agentVersion}`}`,
        one.startedAt ?? "n/a",
        countText(one.requests),
        countText(one.contextWindow.tokens),
        countText(one.peakContext?.tokens ?? null),
        countText(one.compactions.length),
        costText(one),
      ]),
      [
        "all",
        "",
        "",
        countText(sum(sessions.map(({ requests }) => requests))),
        "",
        "",
        countText(sum(sessions.map(({ compactions }) => compactions.length))),
        known.length === 0
          ? "n/a"
          : `${usdText(sum(known))}${known.length < costs.length ? ` (of ${countText(known.length)} sessions)` : ""}`,
      ],
    ],
  );
  yield unpricedPart(sessions);
}

const END =
  "<footer>Estimates are marked as such by Context Replay; costs are list prices, not what was paid.</footer></main></body></html>\n";

/**
 * A session as a part of an HTML file for people: facts, the drawing, what filled the window, boundaries, and the session under its agent's own policy. Numbers
 * alone, unless texts are wanted: no title, path, prompt or name of a tool. It has no script, and asks no host for anything.
 */
async function* sectionOf(
  { session, profile }: ReportedSession,
  withText: boolean,
  number?: number,
): AsyncGenerator<string> {
  const { summary } = session;
  const { agent, format, agentVersion, startedAt, endedAt, requests, peakContext, compactions } = summary;
  const contextWindow = await windowUnderProfile(session, profile);
  yield `<h1>${escaped(`${number === undefined ? "" : `${number}. `}${agent ?? format}${agentVersion === null ? "" : ` ${agentVersion}`}`)}</h1>\n`;
  yield table(
    "Facts",
    ["", ""],
    [
      ["from – to", `${startedAt ?? "n/a"} – ${endedAt ?? "n/a"}`],
      ["models", summary.models.join(", ") || "n/a"],
      ["requests", countText(requests)],
      ["window", `${windowSizes(contextWindow)} (${windowSourceText(contextWindow)})`],
      ["peak", countText(peakContext?.tokens ?? null)],
      ["compactions", countText(compactions.length)],
      ["cost by list prices", costText(summary)],
    ],
  );
  yield unpricedPart([summary]);
  yield `<figure>${await contextChart(session, contextWindow.tokens)}<figcaption>The recorded context by category at every request; a line is a recorded boundary.</figcaption></figure>\n`;
  const { breakdown } = await breakdownOfSession(session, {
    at: peakContext?.request ?? "last",
    preset: "ours",
    profile,
  });
  yield table(
    `What filled the window at request ${countText(breakdown.request)}`,
    ["part", "tokens"],
    breakdown.rows.filter(({ tokens }) => tokens > 0).map(({ id, tokens }) => [id, countText(tokens)]),
  );
  yield table(
    "Recorded compactions",
    ["line", "trigger", "before", "after", "summary"],
    compactions.map((one) => [
      countText(one.line),
      one.trigger,
      countText(one.tokensBefore),
      countText(one.tokensAfter),
      countText(one.summaryTokens),
    ]),
  );
  yield await simulated(session, profile);
  if (!withText) return;
  yield "<section><h2>Transcript, likely secrets masked</h2>\n";
  for await (const { index, role, kind, text } of maskedItems(session)) {
    if (text !== "") yield `<h3>${index} · ${role} · ${kind}</h3><pre>${escaped(text)}</pre>\n`;
  }
  yield "</section>\n";
}

function costText({ costUsd }: SessionSummary): string {
  return costUsd == null ? "n/a" : `${usdText(costUsd.total)}${costUsd.lowerBound ? " at least" : ""}`;
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

/** What the session's own policy comes to, or that none is known. */
async function simulated(session: OpenedSession, profile: ContextProfile | undefined): Promise<string> {
  const policy = policyById(session.summary.agent ?? "");
  if (policy === undefined) return "";
  const result = await replaySession(
    session,
    { policy: policy.id, preset: presetOfVersion(policy, session.summary) },
    profile,
  );
  const { costUsd, unpricedModels: _, ...sums } = result.totals;
  const figures = { ...sums, costUsd: costUsd?.total ?? null, compactions: result.compactions.length };
  const spoken = spokenMetrics(FIGURES, "replay", figures, bandsOfTotals(result.totals));
  return table(
    `Replayed with ${result.policy}@${result.preset}`,
    [""],
    spoken.map((one) => [one]),
  );
}

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  const head = heads.some((one) => one !== "") ? `<thead>${line(heads, "th")}</thead>` : "";
  // On a narrow screen a wide table scrolls by itself, so a keyboard has to reach it.
  return `<section tabindex="0" aria-label="${escaped(title)}"><h2>${escaped(title)}</h2><table>${head}<tbody>${rows.map((cells) => line(cells, "td")).join("")}</tbody></table></section>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;color:#18181b;background:#fff;margin:0}main{max-width:960px;margin:0 auto;padding:24px}h1{font-size:20px}h2{font-size:15px;margin:24px 0 6px}h3{font-size:12px;color:#52525b;margin:12px 0 2px}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px;margin:0}figure{margin:24px 0}section{overflow-x:auto}svg{width:100%;height:auto}figcaption,footer{color:#52525b;font-size:12px}footer{margin-top:32px}table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:2px 16px 2px 0;text-align:left;border-bottom:1px solid #e4e4e7}@media print{main{padding:0}table,figure{break-inside:avoid}}`;

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Context Replay: a session in numbers</title><style>${STYLE}</style></head><body><main>
`;
