import { nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock, DraftOverhead } from "@/lib/core/transcript/draft";

/** The parts of the system prompt, numbered if there are several. */
export function systemPrompt(blocks: readonly DraftBlock[]): readonly DraftOverhead[] {
  return blocks
    .filter(({ text }) => text !== "")
    .map(({ text }, index) => ({
      category: "systemPrompt",
      name: index === 0 ? "system prompt" : `system prompt ${index + 1}`,
      text,
    }));
}

/** Declared tools, each as its JSON in the request. Source of the MCP names: Claude Code and Codex, `mcp__server__tool`. */
export function toolDeclarations(tools: unknown): readonly DraftOverhead[] {
  return objectsOf(tools).map((tool) => {
    const name = toolName(tool);
    return { category: categoryOf(tool, name), name, text: jsonOf(withoutCacheMark(tool)) };
  });
}

function toolName(tool: JsonObject): string {
  const inner = objectOf(tool.function ?? tool.custom);
  return (
    nameOf(tool.name) ?? nameOf(inner.name) ?? nameOf(tool.server_label) ?? (textOf(tool.type) || "tool without a name")
  );
}

function categoryOf(tool: JsonObject, name: string): DraftOverhead["category"] {
  if (tool.defer_loading === true) return "deferredTools";
  return /^mcp__/.test(name) || textOf(tool.type).startsWith("mcp") ? "mcpTools" : "builtinTools";
}

/** Removes a tool's cache mark: it says where a prefix ends, is not part of the text for the model, and moves from request to request. */
function withoutCacheMark(tool: JsonObject): JsonObject {
  const { cache_control, ...rest } = tool;
  return isObject(cache_control) ? rest : tool;
}
