import type { Tokens } from "../base/units";
import type { ContextOverhead, NamedTokens, OverheadCategory } from "./context-overhead";

/**
 * Context profile, provided by the user: content that is sent with every request but is in no transcript. A number instead of a text is a token
 * count.
 * Source: docs/interfaces.md, "Context profile".
 */
export interface ContextProfile {
  readonly systemPrompt?: string | Tokens | undefined;
  readonly tools?: readonly ProfileTool[] | undefined;
  readonly skills?: readonly ProfileSkill[] | undefined;
  readonly memoryFiles?: readonly ProfileFile[] | undefined;
  /** The agent's own configuration, for agents whose window depends on it. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface ProfileTool {
  readonly name: string;
  /** Name of the tool's MCP server; absent for built-in tools. */
  readonly server?: string | undefined;
  /** Declaration as sent: an object, its text, or its size. */
  readonly schema?: unknown;
}

export interface ProfileSkill {
  readonly name: string;
  readonly description?: string | Tokens | undefined;
  /** Level that defines it: `user`, `project`, … */
  readonly level?: string | undefined;
  /** Loaded only by a call, so not part of the overhead. */
  readonly body?: string | Tokens | undefined;
}

interface ProfileFile {
  readonly path: string;
  readonly content: string | Tokens;
}

/** Counts a text's tokens under the estimator in force. */
export type CountText = (text: string) => Tokens;

/** Tokens of a value: a number is a count already, a text is counted, anything else is counted as JSON. */
export function valueTokens(value: unknown, count: CountText): Tokens {
  if (typeof value === "number") return value;
  if (typeof value === "string") return count(value);
  return value === undefined ? 0 : count(JSON.stringify(value) ?? "");
}

/** Name of a tool; `server__tool` for tools of MCP servers. */
export function toolName({ name, server }: ProfileTool): string {
  return server === undefined ? name : `${server}__${name}`;
}

/** Overhead of a profile by category, with every tool, skill and file counted separately. */
export function profileOverhead(profile: ContextProfile, count: CountText): ContextOverhead {
  const tools = profile.tools ?? [];
  const named = (list: readonly ProfileTool[]) =>
    list.map((tool) => ({ name: toolName(tool), tokens: valueTokens(tool.schema ?? tool.name, count) }));
  const prompt = valueTokens(profile.systemPrompt, count);
  return overheadOf([
    ["systemPrompt", prompt > 0 ? [{ name: "", tokens: prompt }] : []],
    ["builtinTools", named(tools.filter(({ server }) => server === undefined))],
    ["mcpTools", named(tools.filter(({ server }) => server !== undefined))],
    ["skills", (profile.skills ?? []).map((skill) => listedSkill(skill, count))],
    [
      "memoryFiles",
      (profile.memoryFiles ?? []).map(({ path, content }) => ({ name: path, tokens: valueTokens(content, count) })),
    ],
  ]);
}

function listedSkill({ name, description }: ProfileSkill, count: CountText): NamedTokens {
  if (typeof description === "number") return { name, tokens: description };
  return { name, tokens: count(description === undefined ? name : `${name}: ${description}`) };
}

/** Categories as sums of their items; empty categories are omitted. An item without a name counts in the sum but is not listed. */
export function overheadOf(
  lists: readonly (readonly [OverheadCategory["id"], readonly NamedTokens[]])[],
): ContextOverhead {
  return {
    categories: lists.flatMap(([id, items]) => {
      const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
      return items.length === 0 ? [] : [{ id, tokens, items: items.filter(({ name }) => name !== "") }];
    }),
  };
}
