import type { BreakdownCategoryId } from "@/lib/core/base/categories";
import type { Tokens } from "@/lib/core/base/units";
import { type Breakdown, breakdownAt } from "@/lib/core/context/breakdown";
import { type BreakdownInput, type BreakdownText, cachedAt, type OwnBreakdown } from "@/lib/core/context/own-breakdown";

/** Presets of the policy; the threshold of each gives the size of the buffer. */
const PRESETS = ["reported", "reported-2025"] as const;

/** Categories in the order and wording of the program's `/context`. Rows that it does not have are ours, and are shown only if they are not empty. */
const ROWS: readonly (readonly [BreakdownCategoryId, string])[] = [
  ["systemPrompt", "System prompt"],
  ["startupContext", "Startup context"],
  ["builtinTools", "System tools"],
  ["mcpTools", "MCP tools"],
  ["deferredTools", "MCP tools (deferred)"],
  ["customAgents", "Custom agents"],
  ["memoryFiles", "Memory files"],
  ["skills", "Skills"],
  ["slashCommands", "Slash commands"],
  ["overheadInferred", "System prompt, tools and memory (inferred)"],
  ["messages", "Messages"],
  ["unattributed", "Not attributed"],
  ["freeSpace", "Free space"],
  ["autocompactBuffer", "Autocompact buffer"],
  ["residual", "Residual"],
];

/**
 * Rebuilds `/context` as far as a recording allows: the total is the usage, messages are estimated, and the buffer is the rest of the window above
 * the reported threshold. Source: README.md, "Breakdown".
 */
export const claudeCodeBreakdown: OwnBreakdown = {
  presets: PRESETS,
  at: breakdownOf,
  text: textOf,
};

function breakdownOf(question: BreakdownInput): Breakdown {
  const { series, request, window, threshold, overhead } = question;
  const trigger = threshold === undefined ? question.trigger : Math.floor(window * threshold);
  const cached = cachedAt(question);
  return {
    ...breakdownAt({ series, request, window, trigger, overhead }),
    ...(trigger === undefined ? {} : { levels: [{ id: "auto", tokens: trigger }] }),
    ...(cached > 0 ? { cachedTokens: cached } : {}),
  };
}

function textOf({ total, rows }: Breakdown, { window, model, view }: BreakdownText): string {
  const used = total?.tokens ?? 0;
  const lines = ROWS.flatMap(([id, label]) => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) return [];
    const items = view === "detail" ? (row.items ?? []) : [];
    return [
      `  ${label}: ${sized(row.tokens, window)}`,
      ...items.map((item) => `    └ ${item.name}: ${short(item.tokens)} tokens`),
    ];
  });
  return [
    "Context Usage",
    `  ${model} · ${short(used)}/${short(window)} tokens (${Math.round((used / window) * 100)}%)`,
    "",
    ...lines,
  ].join("\n");
}

function sized(tokens: Tokens, window: Tokens): string {
  return `${short(tokens)} tokens (${((tokens / window) * 100).toFixed(1)}%)`;
}

function short(tokens: Tokens): string {
  return Math.abs(tokens) >= 1000 ? `${(tokens / 1000).toFixed(1)}k` : `${tokens}`;
}
