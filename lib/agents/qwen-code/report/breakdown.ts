import type { BreakdownCategoryId, OverheadCategoryId } from "@/lib/core/base/categories";
import type { Share, Tokens } from "@/lib/core/base/units";
import { type Breakdown, type BreakdownRow, closedRows, messagesRow } from "@/lib/core/context/breakdown";
import type { NamedTokens } from "@/lib/core/context/context-overhead";
import {
  type BreakdownInput,
  type BreakdownText,
  hasUsageBy,
  type OwnBreakdown,
} from "@/lib/core/context/own-breakdown";
import { apportion } from "@/lib/core/tokens/item-estimator";
import { COMPACT_SHARE, computeThresholds } from "../base/constants";
import { QWEN_CODE_PRESETS, qwenCodePreset } from "../base/presets";
import { type DocumentedSizes, documentedShares } from "./context-shares";
import { type CurrentSizes, currentShares } from "./context-shares-current";
import { conversationSizes } from "./conversation-sizes";
import { largestFirst, reportText, shortTokens } from "./report-text";

/**
 * `/context`, computed from the columns. The program's measurements of its own prompt come from a context profile; without one, the overhead is a
 * single inferred row. Source: README.md, "/context".
 */
export const qwenCodeBreakdown: OwnBreakdown = {
  presets: QWEN_CODE_PRESETS,
  at: (question, preset) => (qwenCodePreset(preset) === "current" ? currentAt(question) : documentedAt(question)),
  text: (breakdown, about, preset) =>
    (qwenCodePreset(preset) === "current" ? currentScreen : documentedScreen)(breakdown, about),
};

function documentedAt(question: BreakdownInput): Breakdown {
  const { window } = question;
  const api = reportedTokens(question);
  const threshold =
    question.threshold ?? shareOf(question.trigger, window) ?? (isBounded(question) ? COMPACT_SHARE : 1);
  const shares = documentedShares(documentedSizes(question), { window, threshold, api });
  const rows = [
    ...overheadRows(question, shares, shares.scale),
    ...(api > 0 ? [messages(question, shares.messages)] : []),
    ...restRows(shares),
  ];
  return { request: question.request, total: totalOf(question, api), rows: closedRows(rows, window) };
}

function currentAt(question: BreakdownInput): Breakdown {
  const { window, columns, request } = question;
  const api = reportedTokens(question);
  const sizes: CurrentSizes = { ...documentedSizes(question), ...conversationSizes(question) };
  const isLimited = isBounded(question);
  const shares = currentShares(sizes, { window, threshold: question.threshold, api, isLimited });
  const thresholds = computeThresholds(window, { share: question.threshold });
  const cached = question.simulated ? 0 : (columns.requests.cacheRead[request] ?? 0);
  const rows: BreakdownRow[] = [
    ...overheadRows(question, shares, shares.scale),
    ...(api > 0 ? [messages(question, shares.messages)] : []),
    ...(shares.unattributed > 0 ? [{ id: "unattributed", tokens: shares.unattributed, kind: "derived" } as const] : []),
    ...restRows(shares),
  ];
  return {
    request,
    total: totalOf(question, api),
    rows: closedRows(rows, window),
    ...(isLimited
      ? {
          levels: (["warn", "auto", "hard", "effectiveWindow"] as const).map((id) => ({ id, tokens: thresholds[id] })),
          tier: shares.currentTier,
        }
      : {}),
    ...(cached > 0 && api > 0 ? { cachedTokens: cached } : {}),
  };
}

/** True if the limits are known: they follow from the window, unless only a lower bound of it is known and the user chose none. */
function isBounded({ isLowerBound, threshold }: BreakdownInput): boolean {
  return isLowerBound !== true || threshold !== undefined;
}

/** The last reported prompt size: 0 until a provider has reported one. A simulation always has one of its own. */
function reportedTokens({ series, simulated, columns, request }: BreakdownInput): Tokens {
  return simulated || hasUsageBy(columns, request) ? (series.context[request] ?? 0) : 0;
}

function totalOf({ series, simulated, request }: BreakdownInput, api: Tokens): Breakdown["total"] {
  if (api === 0) return null;
  return { tokens: api, kind: simulated || series.estimated[request] === 1 ? "estimated" : "recorded" };
}

/** The trigger as a share of the window, from which the buffer's size follows. */
function shareOf(trigger: Tokens | undefined, window: Tokens): Share | undefined {
  return trigger === undefined || window <= 0 ? undefined : trigger / window;
}

function documentedSizes({ overhead, columns, tokens }: BreakdownInput): DocumentedSizes {
  const of = (id: OverheadCategoryId) => overhead.categories.find((category) => category.id === id)?.tokens ?? 0;
  const [mcp, skills] = [of("mcpTools"), of("skills")];
  return {
    system: of("systemPrompt"),
    tools: overhead.declaredTokens ?? of("builtinTools") + mcp + skills,
    skills,
    mcp,
    memory: of("memoryFiles"),
    // The program knows its prompt. With a profile it is known here too, and the rest counts as messages, as in the program.
    unknown: overhead.categories.length > 0 ? 0 : (tokens[columns.overheadRows - 1] ?? 0),
  };
}

type OverheadShares = Readonly<
  Record<"systemPrompt" | "builtinTools" | "mcpTools" | "skills" | "memoryFiles" | "unknown", Tokens> & {
    startupContext?: Tokens;
  }
>;

/** The overhead's rows that exist, with the profile's items, scaled as the program scales them. */
function overheadRows({ overhead }: BreakdownInput, shares: OverheadShares, scale: number): BreakdownRow[] {
  const ids = ["systemPrompt", "startupContext", "builtinTools", "mcpTools", "skills", "memoryFiles"] as const;
  const rows = ids.flatMap((id): BreakdownRow[] => {
    const tokens = shares[id] ?? 0;
    const items = scaledItems(overhead.categories.find((category) => category.id === id)?.items ?? [], scale);
    return tokens > 0 ? [{ id, tokens, kind: "estimated", ...(items.length > 0 ? { items } : {}) }] : [];
  });
  return shares.unknown > 0 ? [...rows, { id: "overheadInferred", tokens: shares.unknown, kind: "inferred" }] : rows;
}

function scaledItems(items: readonly NamedTokens[], scale: number): readonly NamedTokens[] {
  const scaled = scale < 1 ? items.map((item) => ({ ...item, tokens: Math.round(item.tokens * scale) })) : items;
  return scaled.toSorted((a, b) => b.tokens - a.tokens);
}

/** Row of the messages: the estimated parts, scaled down if they exceed the total, and the remainder as not attributed. */
function messages({ series, request }: BreakdownInput, tokens: Tokens): BreakdownRow {
  const { parts = [], tokens: estimated } = messagesRow(series, request, true);
  const shares = apportion(
    Math.min(tokens, estimated),
    parts.map((part) => part.tokens),
  );
  const rest = Math.max(0, tokens - estimated);
  return {
    id: "messages",
    tokens,
    kind: "inferred",
    parts: [
      ...parts.map((part, index) => ({ ...part, tokens: shares[index] ?? 0 })).filter((part) => part.tokens > 0),
      ...(rest > 0 ? [{ id: "unattributed", tokens: rest, kind: "derived" } as const] : []),
    ],
  };
}

function restRows(shares: { readonly freeSpace: Tokens; readonly autocompactBuffer: Tokens }): BreakdownRow[] {
  return [
    { id: "freeSpace", tokens: shares.freeSpace, kind: "derived" },
    { id: "autocompactBuffer", tokens: shares.autocompactBuffer, kind: "derived" },
  ];
}

/** The screens that `/context` shows. Browser-safe. Source: the two example screens in Qwen Code's `/context` document; README.md, "/context". */

const BAR_CELLS = 43;
const LABEL_CELLS = 22;

/** Categories of the documented screens, in their order and words. The last two are ours, and are shown only if they exist. */
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

/** The screen as documented. Without a reported size it has no bar, no total and no messages. */
function documentedScreen(breakdown: Breakdown, about: BreakdownText): string {
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

/** The text of 0.24.4, with lists only in the detailed view. */
function currentScreen(breakdown: Breakdown, { window, model, view }: BreakdownText): string {
  const tokens = (id: BreakdownCategoryId) => rowOf(breakdown, id)?.tokens ?? 0;
  const items = (id: BreakdownCategoryId): readonly NamedTokens[] =>
    view === "detail" ? largestFirst(rowOf(breakdown, id)?.items ?? []) : [];
  const { levels } = breakdown;
  const level = (id: string) => levels?.find((one) => one.id === id)?.tokens ?? 0;
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
      thresholds: levels && {
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
