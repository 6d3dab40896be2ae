import type { Tokens } from "@/lib/core/base/units";
import type { Breakdown, BreakdownRow } from "@/lib/core/context/breakdown";
import type { BreakdownCategoryId } from "@/lib/core/context/categories";
import type { BreakdownText } from "@/lib/core/context/own-breakdown";
import type { NamedTokens } from "@/lib/core/context/standing";
import { largestFirst, reportText, shortTokens } from "./report-text";

/** The screens that `/context` shows. Browser-safe. Source: the document's two example screens; README.md, "/context". */

const BAR_CELLS = 43;
const LABEL_CELLS = 22;

/** Categories of the document's screens, in its order and words. The last two are ours, and are shown only where they exist. */
const DOCUMENTED_ROWS: readonly (readonly [BreakdownCategoryId, string, "█" | "░"])[] = [
  ["systemPrompt", "System prompt", "█"],
  ["builtinTools", "System tools", "█"],
  ["mcpTools", "MCP tools", "█"],
  ["memoryFiles", "Memory files", "█"],
  ["skills", "Skills", "█"],
  ["overheadInferred", "Overhead, inferred", "█"],
  ["messages", "Messages", "█"],
  ["freeSpace", "Free space", "░"],
  ["autocompactBuffer", "Autocompact buffer", "░"],
  ["residual", "Residual", "░"],
];

/** The screen as the document draws it. Without a reported size it has no bar, no total and no messages. */
export function documentedScreen(breakdown: Breakdown, about: BreakdownText): string {
  const { window, model } = about;
  const lines =
    breakdown.total === null ? estimatedHead(window, model) : usageHead(breakdown.total.tokens, window, model);
  const rows = DOCUMENTED_ROWS.flatMap(([id, label, mark]) => {
    const row = rowOf(breakdown, id);
    return row === undefined ? [] : [`  ${mark} ${label.padEnd(LABEL_CELLS)}${sized(row.tokens, window)}`];
  });
  const details = about.view === "detail" ? detailLines(breakdown, window) : [];
  return ["Context Usage", "", ...lines, ...rows, ...details].join("\n");
}

function estimatedHead(window: Tokens, model: string): readonly string[] {
  return [
    "  No API response yet. Send a message to see actual usage.",
    "",
    "  Estimated pre-conversation overhead",
    `  Model: ${model}  Context window: ${shortTokens(window)} tokens`,
    "",
  ];
}

function usageHead(total: Tokens, window: Tokens, model: string): readonly string[] {
  const filled = Math.max(0, Math.min(BAR_CELLS, Math.round((total / window) * BAR_CELLS)));
  return [
    `  ${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}  ${model}`,
    `  ${shortTokens(total)}/${shortTokens(window)} tokens (${percent(total, window)})`,
    "",
    "  Usage by category",
  ];
}

function detailLines(breakdown: Breakdown, window: Tokens): readonly string[] {
  return DOCUMENTED_ROWS.flatMap(([id, label]) => {
    const items = rowOf(breakdown, id)?.items ?? [];
    if (items.length === 0) return [];
    return [
      "",
      `  ${label}`,
      ...items.map(({ name, tokens }) => `  └ ${name.padEnd(LABEL_CELLS - 1)} ${sized(tokens, window)}`),
    ];
  });
}

function rowOf(breakdown: Breakdown, id: BreakdownCategoryId): BreakdownRow | undefined {
  return breakdown.rows.find((row) => row.id === id);
}

function sized(tokens: Tokens, window: Tokens): string {
  return `${shortTokens(tokens)} tokens (${percent(tokens, window)})`;
}

function percent(tokens: Tokens, window: Tokens): string {
  return `${window > 0 ? ((tokens / window) * 100).toFixed(1) : "0.0"}%`;
}

/** The text of 0.24.4, with lists only where details are asked for. */
export function currentScreen(breakdown: Breakdown, { window, model, view }: BreakdownText): string {
  const tokens = (id: BreakdownCategoryId) => rowOf(breakdown, id)?.tokens ?? 0;
  const items = (id: BreakdownCategoryId): readonly NamedTokens[] =>
    view === "detail" ? largestFirst(rowOf(breakdown, id)?.items ?? []) : [];
  const level = (id: string) => breakdown.levels?.find((one) => one.id === id)?.tokens ?? 0;
  return reportText({
    modelName: model,
    totalTokens: breakdown.total?.tokens ?? 0,
    contextWindowSize: window,
    isEstimated: breakdown.total?.kind !== "recorded",
    breakdown: {
      systemPrompt: tokens("systemPrompt"),
      builtinTools: tokens("builtinTools"),
      mcpTools: tokens("mcpTools"),
      memoryFiles: tokens("memoryFiles"),
      skills: tokens("skills"),
      startupContext: tokens("startupContext"),
      overheadInferred: tokens("overheadInferred"),
      messages: tokens("messages"),
      unattributed: tokens("unattributed"),
      cachedTokens: breakdown.cachedTokens ?? 0,
      freeSpace: tokens("freeSpace"),
      autocompactBuffer: tokens("autocompactBuffer"),
      thresholds: {
        warn: level("warn"),
        auto: level("auto"),
        hard: level("hard"),
        effectiveWindow: level("effectiveWindow"),
      },
      currentTier: breakdown.tier ?? "safe",
    },
    builtinTools: items("builtinTools"),
    mcpTools: items("mcpTools"),
    memoryFiles: items("memoryFiles").map(({ name, tokens: size }) => ({ path: name, tokens: size })),
    skills: items("skills"),
  });
}
