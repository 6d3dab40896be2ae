import { DEFAULT_WINDOW } from "@/lib/agents/qwen-code/base/constants";
import { contextTextTokens } from "@/lib/agents/qwen-code/messages/estimates";
import { type DocumentedReport, listedSkillText, type Skill } from "@/lib/agents/qwen-code/report/context-report";
import { type DocumentedSizes, documentedShares } from "@/lib/agents/qwen-code/report/context-shares";
import { type MemoryFile, memoryFiles } from "@/lib/agents/qwen-code/report/memory-files";
import type { Tokens } from "@/lib/core/base/units";
import type { NamedTokens } from "@/lib/core/context/context-overhead";

/** `/context` as documented: the first version of that command. Source: README.md, "Context report, as documented". */

export interface DeclaredTool {
  readonly name: string;
  readonly schema: unknown;
  /** The server of an MCP tool. */
  readonly serverName?: string | undefined;
  readonly serverToolName?: string | undefined;
}

export interface ContextInputs {
  readonly model: string;
  readonly window?: Tokens | undefined;
  readonly threshold?: number | undefined;
  /** The last prompt size that the provider reported; 0 if there was none. */
  readonly apiTokens: Tokens;
  readonly systemPrompt: string;
  readonly builtin: readonly DeclaredTool[];
  readonly mcp: readonly DeclaredTool[];
  readonly skillTool?: DeclaredTool | undefined;
  /** The declarations that are sent; those of every tool if absent. */
  readonly declarations?: readonly unknown[] | undefined;
  readonly memory: string;
  readonly skills: readonly Skill[];
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
