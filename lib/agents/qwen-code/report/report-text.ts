import type { Tokens } from "@/lib/core/base/units";
import type { NamedTokens } from "@/lib/core/context/context-overhead";
import type { CurrentReport, SkillRow } from "./context-report-current";

/** `/context detail` of 0.24.4 as text. Source: README.md, "Context report, current". */

const WIDTH = 56;
const BRANCH = "  └ ";
const SUB_BRANCH = "    └ ";

/** A number of tokens; from a thousand on with one decimal and a k. */
export function shortTokens(tokens: Tokens): string {
  return tokens >= 1000 ? `${(tokens / 1000).toFixed(1)}k` : `${tokens}`;
}

/** Content of the printed report. */
interface PrintedReport extends Omit<CurrentReport, "breakdown"> {
  readonly breakdown: Omit<CurrentReport["breakdown"], "currentTier" | "thresholds"> & {
    /** Absent if only a lower bound of the window is known. */
    readonly thresholds: CurrentReport["breakdown"]["thresholds"] | undefined;
    readonly currentTier: string;
    /** A row that the program does not have, for sessions with only the sum of the overhead known. */
    readonly overheadInferred?: Tokens;
  };
}

/** The report as lines of text. */
export function reportText(report: PrintedReport): string {
  const row = (label: string, tokens: Tokens, indent = "  ") =>
    categoryRow(label, tokens, report.contextWindowSize, indent);
  return [
    "## Context Usage",
    "",
    ...headLines(report, row),
    ...categoryLines(report, row),
    ...detailLines(report, row),
  ].join("\n");
}

type Row = (label: string, tokens: Tokens, indent?: string) => string;

function categoryRow(label: string, tokens: Tokens, window: Tokens, indent: string): string {
  const percent = window > 0 ? ((tokens / window) * 100).toFixed(1) : "0.0";
  const left = `${indent}${label}`;
  const right = `${shortTokens(tokens)} tokens (${percent}%)`;
  return left + " ".repeat(Math.max(1, WIDTH - left.length - right.length)) + right;
}

function headLines({ breakdown, ...report }: PrintedReport, row: Row): readonly string[] {
  const window = report.contextWindowSize;
  const model = `Model: ${report.modelName}  Context window: ${shortTokens(window)} tokens`;
  if (report.totalTokens === 0) {
    const notice = "*No API response yet. Send a message to see actual usage.*";
    return [notice, "", "**Estimated pre-conversation overhead**", model, ""];
  }
  return [
    model,
    "",
    ...(report.isEstimated ? ["*Token usage is estimated until provider usage is received.*", ""] : []),
    row("Used", report.totalTokens),
    ...(breakdown.cachedTokens > 0 ? [row("Cached prefix", breakdown.cachedTokens, BRANCH)] : []),
    row("Free", breakdown.freeSpace),
    "",
    ...thresholdLines(breakdown, window),
    "**Usage by category**",
  ];
}

function thresholdLines({ thresholds, currentTier }: PrintedReport["breakdown"], window: Tokens): readonly string[] {
  if (thresholds === undefined) return [];
  const { effectiveWindow, warn, auto, hard } = thresholds;
  return [
    "**Compaction thresholds**",
    `  Effective window:   ${grouped(effectiveWindow)}  (window − ${grouped(window - effectiveWindow)} reserve)`,
    `  Warn threshold:     ${grouped(warn)}`,
    `  Auto threshold:     ${grouped(auto)}`,
    `  Hard threshold:     ${grouped(hard)}`,
    `  Current tier:       ${currentTier}`,
    "",
  ];
}

function categoryLines({ breakdown, totalTokens }: PrintedReport, row: Row): readonly string[] {
  const optional = (label: string, tokens: Tokens) => (tokens > 0 ? [row(label, tokens)] : []);
  return [
    row("System prompt", breakdown.systemPrompt),
    row("Built-in tools", breakdown.builtinTools),
    ...optional("MCP tools", breakdown.mcpTools),
    row("Memory files", breakdown.memoryFiles),
    row("Skills", breakdown.skills),
    ...optional("Startup context", breakdown.startupContext),
    ...optional("Overhead, inferred", breakdown.overheadInferred ?? 0),
    ...(totalTokens > 0
      ? [row("Messages", breakdown.messages), ...optional("Unattributed", breakdown.unattributed)]
      : []),
  ];
}

function detailLines(report: PrintedReport, row: Row): readonly string[] {
  const files = report.memoryFiles.map(({ path, tokens }) => ({ name: path, tokens }));
  return [
    ...section("Built-in tools", largestFirst(report.builtinTools), row),
    ...section("MCP tools", largestFirst(report.mcpTools), row),
    ...section("Memory files", largestFirst(files), row),
    ...skillLines(report.skills, row),
  ];
}

/** Sorted by tokens, descending. */
export function largestFirst(items: readonly NamedTokens[]): readonly NamedTokens[] {
  return items.toSorted((a, b) => b.tokens - a.tokens);
}

function section(title: string, items: readonly NamedTokens[], row: Row): readonly string[] {
  if (items.length === 0) return [];
  return ["", `**${title}**`, ...items.map(({ name, tokens }) => row(name, tokens, BRANCH))];
}

/** Lines of the skills: loaded ones first, then by size. */
function skillLines(skills: readonly SkillRow[], row: Row): readonly string[] {
  if (skills.length === 0) return [];
  const size = ({ tokens, bodyTokens = 0 }: SkillRow) => tokens + bodyTokens;
  const sorted = skills.toSorted((a, b) => (a.loaded === b.loaded ? size(b) - size(a) : a.loaded ? -1 : 1));
  const lines = sorted.flatMap((skill) => [
    row(skill.loaded ? `${skill.name} (active)` : skill.name, skill.tokens, BRANCH),
    ...(skill.loaded && (skill.bodyTokens ?? 0) > 0 ? [row("body loaded", skill.bodyTokens ?? 0, SUB_BRANCH)] : []),
  ]);
  return ["", "**Skills**", ...lines];
}

function grouped(tokens: Tokens): string {
  return Math.round(tokens).toLocaleString("en-US");
}
