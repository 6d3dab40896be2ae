import type { Tokens } from "@/lib/core/base/units";
import type { NamedTokens } from "@/lib/core/context/context-overhead";
import { DEFAULT_WINDOW } from "../base/constants";
import { contextTextTokens } from "../messages/estimates";
import { type DocumentedShares, type DocumentedSizes, documentedShares } from "./context-shares";
import { type MemoryFile, memoryFiles } from "./memory-files";

/** `/context` as documented: the first version of that command. Source: README.md, "Context report, as documented". */

export interface DeclaredTool {
  readonly name: string;
  readonly schema: unknown;
  /** The server of an MCP tool. */
  readonly serverName?: string | undefined;
  readonly serverToolName?: string | undefined;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly level: string;
  readonly body?: string | undefined;
  readonly filePath?: string | undefined;
}

export interface ContextInputs {
  readonly model: string;
  readonly window?: Tokens | undefined;
  readonly threshold?: number | undefined;
  /** The last prompt size that the provider reported; 0 where there was none. */
  readonly apiTokens: Tokens;
  readonly systemPrompt: string;
  readonly builtin: readonly DeclaredTool[];
  readonly mcp: readonly DeclaredTool[];
  readonly skillTool?: DeclaredTool | undefined;
  /** The declarations that are sent; those of every tool where absent. */
  readonly declarations?: readonly unknown[] | undefined;
  readonly memory: string;
  readonly skills: readonly Skill[];
}

export interface DocumentedReport {
  readonly modelName: string;
  readonly totalTokens: Tokens;
  readonly contextWindowSize: Tokens;
  readonly breakdown: Omit<DocumentedShares, "scale" | "unknown">;
  readonly builtinTools: readonly NamedTokens[];
  readonly mcpTools: readonly NamedTokens[];
  readonly memoryFiles: readonly MemoryFile[];
  readonly skills: readonly NamedTokens[];
  readonly isEstimated: boolean;
}

/**
 * The report. It rounds and clamps as the program does, so the categories need not sum to the window. The residual is shown to the reader, not
 * hidden.
 */
export function contextReport(inputs: ContextInputs): DocumentedReport {
  const window = inputs.window ?? DEFAULT_WINDOW;
  const sizes = overheadSizes(inputs);
  const api = inputs.apiTokens;
  const { scale, unknown: _none, ...breakdown } = documentedShares(sizes, { window, threshold: inputs.threshold, api });
  const detail = <T extends { readonly tokens: Tokens }>(items: readonly T[]): readonly T[] =>
    scale < 1 ? items.map((item) => ({ ...item, tokens: Math.round(item.tokens * scale) })) : items;
  return {
    modelName: inputs.model,
    totalTokens: api > 0 ? api : 0,
    contextWindowSize: window,
    breakdown,
    builtinTools: detail(sizes.builtinItems),
    mcpTools: detail(sizes.mcpItems),
    memoryFiles: detail(sizes.memoryItems),
    skills: detail(inputs.skills.map(listedSkill)),
    isEstimated: !(api > 0),
  };
}

export interface OverheadSizes extends DocumentedSizes {
  readonly builtinItems: readonly NamedTokens[];
  readonly mcpItems: readonly NamedTokens[];
  readonly memoryItems: readonly MemoryFile[];
}

/** Estimates of the fixed parts of every request. */
export function overheadSizes(inputs: ContextInputs): OverheadSizes {
  const { builtin, mcp, skillTool } = inputs;
  const every = [...builtin, ...mcp, ...(skillTool === undefined ? [] : [skillTool])];
  const mcpItems = mcp.map((tool) => ({ name: mcpName(tool), tokens: jsonTokens(tool.schema) }));
  const memoryItems = memoryFiles(inputs.memory);
  return {
    system: contextTextTokens(inputs.systemPrompt),
    tools: jsonTokens(inputs.declarations ?? every.map(({ schema }) => schema)),
    skills: skillTool === undefined ? 0 : jsonTokens(skillTool.schema),
    mcp: sum(mcpItems),
    memory: sum(memoryItems),
    builtinItems: builtin.map(({ name, schema }) => ({ name, tokens: jsonTokens(schema) })),
    mcpItems,
    memoryItems,
  };
}

/** Tokens of some items together. */
export function sum(items: readonly { readonly tokens: Tokens }[]): Tokens {
  return items.reduce((total, { tokens }) => total + tokens, 0);
}

function jsonTokens(value: unknown): Tokens {
  return contextTextTokens(JSON.stringify(value) ?? "");
}

function mcpName({ serverName, serverToolName, name }: DeclaredTool): string {
  return `${serverName}__${serverToolName === undefined || serverToolName === "" ? name : serverToolName}`;
}

function listedSkill(skill: Skill): NamedTokens {
  return { name: skill.name, tokens: contextTextTokens(listedSkillText(skill)) };
}

/** A skill as the skill tool's declaration lists it. */
export function listedSkillText({ name, description, level }: Pick<Skill, "name" | "description" | "level">): string {
  const lines = ["<skill>", "<name>", name, "</name>", "<description>", `${description} (${level})`, "</description>"];
  return [...lines, "<location>", level, "</location>", "</skill>"].join("\n");
}
