import type { BoundaryAnswer, BoundaryDetails, BoundaryItemWire } from "@/lib/api/contract";
import { aligned } from "./aligned";
import { printable } from "./printable";

const STATES = ["kept", "truncated", "cleared", "dropped", "added"] as const;

/** What a compaction did, for a person: its sizes, a line a state, a line an item. */
export function boundaryText(details: BoundaryDetails): string {
  const { policy, preset, thresholdTokens, request, tokensBefore, tokensAfter, trigger, outcome } = details;
  const limit = thresholdTokens === null ? "" : `, limit ${tokens(thresholdTokens)}`;
  const head = [
    `${policy}@${preset}, before request ${request}: ${tokens(tokensBefore)} → ${tokens(tokensAfter)} (${trigger}, ${outcome})${limit}`,
    `overhead ${tokens(details.overheadTokens)}, summary ${tokens(details.summaryTokens)}, sent to make it ${tokens(details.summaryCallTokens)}, rewritten ${tokens(details.tokensRewritten)}`,
    ...Object.entries(details.figures).map(([name, value]) => `${name} ${tokens(value)}`),
  ];
  const states = STATES.map((state) => [state, details.states[state].items, tokens(details.states[state].tokens)]);
  const items = details.items.map((item) => [item.state, sizeOf(item), item.line ?? "", nameOf(item)]);
  return `${[
    head.map(printable).join("\n"),
    aligned(["state", "items", "tokens"], states),
    aligned(["item", "tokens", "line", "what"], items, ["left", "right", "right", "left"]),
  ].join("\n\n")}\n`;
}

function sizeOf({ state, before, after }: BoundaryItemWire): string {
  if (state === "dropped") return tokens(before);
  return before === after || state === "added" ? tokens(after) : `${tokens(before)} → ${tokens(after)}`;
}

function nameOf({ category, label, tool, file, files }: BoundaryItemWire): string {
  const about = [tool, file, ...files].filter((part) => part !== null);
  return [label ?? category, ...about].join(" ");
}

function tokens(value: number): string {
  return value.toLocaleString("en-US");
}

/** The texts of a compaction: what the agent would send for the summary, what it would report, and the context afterwards. */
export function textsText({
  prompt,
  report,
  messages,
}: Pick<BoundaryAnswer, "prompt" | "report" | "messages">): string {
  const sections = [
    ...(prompt?.system == null ? [] : [section("system prompt of the summary call", prompt.system)]),
    ...(prompt === null ? [] : [section("prompt of the summary call", prompt.text)]),
    ...(report === null ? [] : [section("report", report)]),
    ...messages.map(({ role, text, note }) => section(`${role}${note === null ? "" : `, ${note}`}`, text)),
  ];
  return sections.map((text) => `\n${text}\n`).join("");
}

function section(title: string, text: string): string {
  return `--- ${title} ---\n${text.split("\n").map(printable).join("\n")}`;
}
