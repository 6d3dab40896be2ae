import { category } from "@/app/i18n/messages/en/session.json";
import type { ContextReport } from "@/lib/agents/shared/server-profile";
import { countText } from "@/lib/core/base/number-text";
import type { Breakdown, BreakdownRow } from "@/lib/core/context/breakdown";
import { breakdownOfSession, type SessionBreakdown, toBreakdownAnswer } from "@/lib/queries/answers/session-answers";
import type { ViewedBreakdown } from "@/lib/queries/contexts/breakdown";
import { OURS } from "@/lib/queries/contexts/breakdown-view";
import { toCalibration } from "@/lib/queries/session/calibration";
import { limitRemark, windowRemark, windowSizes } from "@/lib/queries/wire/window-text";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import { profileFile } from "../input/profile-file";
import { type CountingOptions, type ReadingOptions, withSession } from "../input/session-file";
import { say } from "../process/exit";
import { recordedPartLines } from "../text/counting-text";
import { padEnd } from "../text/display-width";
import { write } from "../text/output";
import { printable } from "../text/printable";

export interface BreakdownOptions extends ReadingOptions, CountingOptions {
  readonly at?: number | "last";
  readonly threshold?: number;
  readonly preset?: string;
  readonly model?: string;
  readonly view?: "list" | "detail" | "json";
  readonly json?: boolean;
}

/** `breakdown FILE`: shows the contents of the window at a request, in the words of the agent's own report if it has one. */
export async function breakdown(file: string, options: BreakdownOptions): Promise<void> {
  const { json, view = "list", overhead, at = "last", estimator, window, threshold, preset, model } = options;
  const profile = await profileFile(overhead, [file]);
  const text = await withSession(file, options, async (session) => {
    const result = await breakdownOfSession(session, { at, estimator, window, threshold, preset, profile });
    if (json === true) return JSON.stringify(toBreakdownAnswer(result));
    // Goes to standard error, because the text itself may be the agent's own, letter for letter.
    for (const remark of recordedPartLines(toCalibration(result.calibration))) say(remark);
    if (view === "json") return ownJson(result);
    const shown = textOf(result, session, { view, model });
    const limit = limitOf(result);
    if (limit !== undefined && !shown.includes(limit)) say(limit);
    return shown;
  });
  await write(`${text}\n`);
}

/** The agent's own report as the agent prints it, or this program's breakdown if the agent has no report or the user asked for it. */
function ownJson(result: SessionBreakdown): string {
  const own = result.view.name === OURS ? undefined : result.report?.json;
  return own ?? JSON.stringify(toBreakdownAnswer(result), null, 2);
}

/** Options of a printed breakdown: the rows shown, and the model that an agent's own view names. */
interface Printed {
  readonly view: "list" | "detail";
  readonly model: string | undefined;
}

function textOf(result: SessionBreakdown, { summary }: OpenedSession, { view, model: named }: Printed): string {
  const { own, preset, name } = result.view;
  if (result.report !== undefined && name !== OURS) return reportText(result.report, result, view);
  const breakdown = withPrintableNames(result.breakdown);
  const model = printable(named ?? summary.models.at(-1) ?? "unknown");
  if (own?.text === undefined || preset === undefined) return plainText(result, view);
  return own.text(breakdown, { window: result.window.tokens, model, view }, preset);
}

/** The agent's own text (this program's if the report has none for this view), followed by the report's facts. */
function reportText(report: ContextReport, result: SessionBreakdown, view: "list" | "detail"): string {
  const own = report.texts.find(({ id }) => id === view)?.text;
  const lines = [...(own === undefined ? [plainText(result, view)] : own.split("\n")), "", ...report.lines];
  return lines
    .flatMap((text) => text.split("\n"))
    .map(printable)
    .join("\n");
}

/** Names come from files, so their control characters must not reach the terminal. */
function withPrintableNames(breakdown: Breakdown): Breakdown {
  const rows = breakdown.rows.map((row) =>
    row.items === undefined
      ? row
      : { ...row, items: row.items.map((item) => ({ ...item, name: printable(item.name) })) },
  );
  return { ...breakdown, rows };
}

function plainText(result: ViewedBreakdown, view: "list" | "detail"): string {
  return readable(result, withPrintableNames(result.breakdown), view);
}

/** This program's view: every category with its share of the window and the source of its number. */
function readable(
  { window, view, threshold }: ViewedBreakdown,
  breakdown: Breakdown,
  detail: "list" | "detail",
): string {
  const row = (label: string, tokens: number, rest = "") => line(label, tokens, rest);
  const lines = breakdown.rows.flatMap((one) => [
    row(category[one.id], one.tokens, `${((one.tokens / window.tokens) * 100).toFixed(1)} %  ${one.kind}`),
    ...(one.parts ?? []).map((part) => row(`  ${category[part.id]}`, part.tokens)),
    ...(detail === "detail" ? itemLines(one) : []),
  ]);
  const label = view.name === OURS ? "our categories" : view.name;
  const limit = limitOf({ window, threshold });
  return [
    `request ${breakdown.request}, window ${windowSizes(window)} (${window.source}), ${label}`,
    ...lines,
    ...[limit ?? [], windowRemark(window) ?? []].flat(),
  ].join("\n");
}

function limitOf({ window, threshold }: Pick<ViewedBreakdown, "window" | "threshold">): string | undefined {
  return limitRemark(threshold === null ? null : Math.round(threshold * window.tokens), window.tokens);
}

function itemLines({ items = [] }: BreakdownRow): readonly string[] {
  return items.map((item) => line(`  └ ${item.name}`, item.tokens, ""));
}

function line(label: string, tokens: number, rest: string): string {
  return `${padEnd(label, 22)}${countText(tokens).padStart(11)}  ${rest}`.trimEnd();
}
