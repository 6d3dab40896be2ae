import type { Chars, Tokens } from "@/lib/core/base/units";
import { KIND, ROLE, type SessionColumns } from "@/lib/core/columns/columns";
import { memberSums, NEVER } from "@/lib/core/columns/membership";
import { type Breakdown, type BreakdownRow, breakdownAt, bufferAbove, closedRows } from "@/lib/core/context/breakdown";
import { type BreakdownInput, type BreakdownText, cachedAt, type OwnBreakdown } from "@/lib/core/context/own-breakdown";
import { CHARS_PER_TOKEN } from "../base/constants";
import { OPENCODE_PRESETS } from "../base/presets";
import { PANEL_KEYS, panelShares } from "./panel-shares";

const MEASURE = "opencode.panel";
const PART_IDS = { user: "user", assistant: "assistant", tool: "toolResults" } as const;

/**
 * The app's context panel, which breaks down only the uncached input, by characters of the whole session. It attributes neither cache reads nor its
 * row *other*; calls and results are one part, *tool*. Simulated contexts have no uncached input, so our own breakdown is shown for them. Source:
 * README.md, "Context panel".
 */
export const opencodeBreakdown: OwnBreakdown = { presets: OPENCODE_PRESETS, at: breakdownOf, text: textOf };

function breakdownOf(question: BreakdownInput): Breakdown {
  const { columns, series, request, window, overhead, simulated } = question;
  const input = columns.requests.input[request] ?? -1;
  const trigger = question.threshold === undefined ? question.trigger : Math.floor(window * question.threshold);
  if (simulated || input <= 0 || columns.measures[MEASURE] === undefined) {
    return breakdownAt({ series, request, window, trigger, overhead });
  }
  const total = series.context[request] ?? 0;
  const shares = panelShares(charsAt(question), input);
  const buffer = bufferAbove(trigger, window);
  const rows: BreakdownRow[] = [
    ...(shares.system > 0 ? [{ id: "systemPrompt", tokens: shares.system, kind: "estimated" } as const] : []),
    messagesOf(shares),
    {
      id: "unattributed",
      tokens: total - shares.system - shares.user - shares.assistant - shares.tool,
      kind: "derived",
    },
    { id: "freeSpace", tokens: Math.max(0, window - total - (buffer ?? 0)), kind: "derived" },
    ...(buffer === undefined ? [] : [{ id: "autocompactBuffer", tokens: buffer, kind: "derived" } as const]),
  ];
  const cached = cachedAt(question);
  return {
    request,
    total: { tokens: total, kind: "recorded" },
    rows: closedRows(rows, window),
    ...(cached > 0 ? { cachedTokens: cached } : {}),
  };
}

function messagesOf(shares: Readonly<Record<"user" | "assistant" | "tool", Tokens>>): BreakdownRow {
  const parts = (["user", "assistant", "tool"] as const)
    .map((key) => ({ id: PART_IDS[key], tokens: shares[key], kind: "estimated" as const }))
    .filter((part) => part.tokens > 0);
  return { id: "messages", tokens: shares.user + shares.assistant + shares.tool, kind: "estimated", parts };
}

/** Characters of the session up to a request, compacted or not: the panel counts everything that the session holds. */
function charsAt({ columns, series, request, overhead }: BreakdownInput) {
  const measure = columns.measures[MEASURE] ?? new Int32Array(0);
  let sums = known.get(measure);
  if (sums === undefined) {
    const never = new Int32Array(columns.length).fill(NEVER);
    const all = { entered: series.entered, dropped: never, cleared: never };
    sums = memberSums(columns, measure, all, PANEL_KEYS.length, (row) => groupOf(columns, row));
    known.set(measure, sums);
  }
  const at = (key: (typeof PANEL_KEYS)[number]): Chars => sums[PANEL_KEYS.indexOf(key)]?.[request] ?? 0;
  const system = overhead.categories.find(({ id }) => id === "systemPrompt")?.tokens ?? 0;
  return { system: system * CHARS_PER_TOKEN, user: at("user"), assistant: at("assistant"), tool: at("tool") };
}

const known = new WeakMap<Int32Array, readonly Int32Array[]>();

const [CALL, RESULT, USER] = [KIND.tool_call, KIND.tool_result, ROLE.user];

function groupOf(columns: SessionColumns, row: number): number {
  const kind = columns.kind[row];
  if (row < columns.overheadRows) return PANEL_KEYS.indexOf("system");
  if (kind === CALL || kind === RESULT) return PANEL_KEYS.indexOf("tool");
  return PANEL_KEYS.indexOf(columns.role[row] === USER ? "user" : "assistant");
}

function textOf({ total, rows, cachedTokens = 0 }: Breakdown, { window, model }: BreakdownText): string {
  const used = total?.tokens ?? 0;
  const input = Math.max(1, used - cachedTokens);
  const of = (id: string) => rows.find((row) => row.id === id);
  const parts = of("messages")?.parts ?? [];
  const labels = { user: "User", assistant: "Assistant", toolResults: "Tool calls" } as const;
  const segments: [string, Tokens][] = [
    ["System", of("systemPrompt")?.tokens ?? 0],
    ...Object.entries(labels).map(([id, label]): [string, Tokens] => [
      label,
      parts.find((one) => one.id === id)?.tokens ?? 0,
    ]),
    ["Other", (of("unattributed")?.tokens ?? 0) - cachedTokens],
  ];
  return [
    `Context, ${model}`,
    `  ${used} tokens, ${Math.round((used / window) * 100)}% of ${window}; ${cachedTokens} of them cached`,
    "",
    "  Of the uncached input:",
    ...segments
      .filter(([, tokens]) => tokens > 0)
      .map(
        ([label, tokens]) =>
          `  ${label.padEnd(12)}${`${Math.round((tokens / input) * 1000) / 10}`.padStart(5)}%  ${tokens} tokens`,
      ),
  ].join("\n");
}
