import { countText } from "@/lib/core/base/number-text";
import type { BoundaryAnswer, BoundaryDetails, BoundaryItemWire, SummaryPrompt } from "@/lib/queries/contract/schemas";
import { aligned } from "./aligned";
import { doubtLines, sameCountText } from "./counting-text";
import { printable } from "./printable";

const STATES = ["kept", "truncated", "cleared", "dropped", "added", "entered"] as const;

/** Describes a compaction: its sizes, then one line per state and one per item. */
export function boundaryText(details: BoundaryDetails): string {
  const { policy, preset, thresholdTokens, request, tokensBefore, tokensAfter, trigger, outcome, transient } = details;
  const limit = thresholdTokens === null ? "" : `, limit ${countText(thresholdTokens)}`;
  const head = [
    `${policy}@${preset}, before request ${request}: ${countText(tokensBefore)} → ${countText(tokensAfter)} (${trigger}, ${outcome})${sameCountText(details)}${transient ? ", for this request alone" : ""}${limit}`,
    `overhead ${countText(details.overheadTokens)}, summary ${countText(details.summaryTokens)}, sent to make it ${countText(details.summaryCallTokens)}, re-sent uncached ${countText(details.tokensRewritten)}`,
    ...Object.entries(details.figures).map(([name, value]) => `${name} ${countText(value)}`),
    ...doubtLines(details),
  ];
  const states = STATES.map((state) => [state, details.states[state].items, countText(details.states[state].tokens)]);
  const items = details.items.map((item) => [item.state, sizeOf(item), item.line ?? "", nameOf(item)]);
  return `${[
    head.map(printable).join("\n"),
    aligned(["state", "items", "tokens"], states),
    aligned(["item", "tokens", "line", "what"], items, ["left", "right", "right", "left"]),
  ].join("\n\n")}\n`;
}

function sizeOf({ state, before, after }: BoundaryItemWire): string {
  if (state === "dropped") return countText(before);
  return before === after || state === "added" || state === "entered"
    ? countText(after)
    : `${countText(before)} → ${countText(after)}`;
}

function nameOf({ category, label, tool, file, files }: BoundaryItemWire): string {
  const about = [tool, file, ...files].filter((part) => part !== null);
  return [label ?? category, ...about].join(" ");
}

/** The texts of a compaction: the agent's prompt for the summary, the report it would show, and the context afterwards. */
export function textsText({
  prompt,
  report,
  messages,
}: Pick<BoundaryAnswer, "prompt" | "report" | "messages">): string {
  const sections = [
    ...(prompt?.system == null ? [] : [section("system prompt of the summary call", prompt.system)]),
    ...(prompt === null ? [] : promptSections(prompt)),
    ...(report === null ? [] : [section("report", report)]),
    ...messages.map(({ role, text, note }) => section(`${role}${note === null ? "" : `, ${note}`}`, text)),
  ];
  return sections.map((text) => `\n${text}\n`).join("");
}

/** Notes, worded as on the page. */
export const NOTES: Readonly<Record<SummaryPrompt["notes"][number], string>> = {
  systemUnknown: "The system prompt of the summary call is not known.",
  instructionsUnknown: "The exact instructions around the history are not known; they are left out.",
  systemOwn: "The system prompt of the summary call is the session's own.",
  splitTurn: "The beginning of a split turn is sent in a separate call.",
  wordingOfDocument: "The exact wording is taken from the documentation; this release's prompt has the same content.",
  inParts: "The history is summarised in parts, each in a separate call, and the summaries are merged.",
  inPartsAsked:
    "The history is summarised in parts, each in a separate call. Below are the known instructions: those for merging the summaries and, after the line, those for the beginning of a split turn.",
  onServer: "The provider compacts on its server: only the history is sent.",
};

function promptSections({ messages, text, notes }: SummaryPrompt): readonly string[] {
  return [
    ...messages.map((message) => section(`sent for the summary, ${message.role}`, message.text)),
    ...(text === "" ? [] : [section("prompt of the summary call", text)]),
    ...(notes.length === 0 ? [] : [section("about the summary call", notes.map((note) => NOTES[note]).join("\n"))]),
  ];
}

/** A text under a title, with its line breaks. */
export function section(title: string, text: string): string {
  return `--- ${title} ---\n${text.split("\n").map(printable).join("\n")}`;
}
