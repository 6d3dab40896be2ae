import type { Tokens } from "@/lib/core/base/units";
import type { ContextOverhead, NamedTokens, OverheadCategory } from "@/lib/core/context/context-overhead";
import {
  type ContextProfile,
  type CountText,
  type ProfileSkill,
  profileOverhead,
  toolName,
  valueTokens,
} from "@/lib/core/context/profile";
import { listedSkillText } from "./context-report";
import { memorySections } from "./memory-files";

/** The tool that declares the skills. */
const SKILL_TOOL = "skill";

/**
 * A context profile as `/context` measures it: all declarations as one JSON text, the skill tool's declaration as Skills, and the memory file by
 * file, split at its markers. Source: README.md, "Context report, as documented".
 */
export function qwenCodeOverhead(profile: ContextProfile, count: CountText): ContextOverhead {
  const tools = profile.tools ?? [];
  const skillTool = tools.find(({ name, server }) => name === SKILL_TOOL && server === undefined);
  const others = { ...profile, tools: tools.filter((tool) => tool !== skillTool), skills: [], memoryFiles: [] };
  const [listed, memory] = [listedSkills(profile.skills ?? [], count), memoryItems(profile, count)];
  const listTokens = skillTool === undefined ? sum(listed) : valueTokens(skillTool.schema, count);
  const declared = declaredTokens(profile, count) + (skillTool === undefined ? listTokens : 0);
  const plain = profileOverhead(others, count).categories;
  const mcp = plain.find(({ id }) => id === "mcpTools");
  const builtin = plain.find(({ id }) => id === "builtinTools");
  const builtinTokens = Math.max(0, declared - listTokens - (mcp?.tokens ?? 0));
  return {
    declaredTokens: declared,
    categories: [
      ...plain.filter(({ id }) => id === "systemPrompt"),
      ...category("builtinTools", builtinTokens, builtin?.items ?? []),
      ...(mcp === undefined ? [] : [mcp]),
      ...category("skills", listTokens, listed),
      ...category("memoryFiles", sum(memory), memory),
    ],
  };
}

function category(id: OverheadCategory["id"], tokens: Tokens, items: readonly NamedTokens[]): OverheadCategory[] {
  return tokens > 0 ? [{ id, tokens, items }] : [];
}

/** Tokens of all declarations as one JSON text with brackets and commas; if some declaration is only a size, they are counted one by one. */
function declaredTokens({ tools = [] }: ContextProfile, count: CountText): Tokens {
  if (tools.length === 0) return 0;
  if (tools.every(({ schema }) => typeof schema === "object"))
    return count(JSON.stringify(tools.map(({ schema }) => schema)));
  return tools.reduce((total, tool) => total + valueTokens(tool.schema ?? toolName(tool), count), 0);
}

function listedSkills(skills: readonly ProfileSkill[], count: CountText): readonly NamedTokens[] {
  return skills.map(({ name, description = "", level = "user" }) => ({
    name,
    tokens: typeof description === "number" ? description : count(listedSkillText({ name, description, level })),
  }));
}

function memoryItems({ memoryFiles = [] }: ContextProfile, count: CountText): readonly NamedTokens[] {
  return memoryFiles.flatMap(({ path, content }) => {
    if (typeof content === "number") return [{ name: path, tokens: content }];
    const files = memorySections(content);
    return files.length > 0
      ? files.map((file) => ({ name: file.path, tokens: count(file.content) }))
      : [{ name: path, tokens: count(content) }];
  });
}

function sum(items: readonly NamedTokens[]): Tokens {
  return items.reduce((total, { tokens }) => total + tokens, 0);
}
