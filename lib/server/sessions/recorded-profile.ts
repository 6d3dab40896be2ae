import { isObject, parsedOr } from "@/lib/agents/shared/json";
import { mcpNames } from "@/lib/core/analysis/unused-tools";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import type { ContextProfile, ProfileTool } from "@/lib/core/context/profile";
import { ProfileError } from "@/lib/server/store/context-profile";
import type { OpenedSession } from "./opened-session";

interface Recorded {
  readonly name: string;
  readonly category: string;
  readonly text: string;
}

/**
 * The overhead in a recording, as a context profile for other sessions; most useful for an API request log. Rejects with `ProfileError` if it holds
 * none, and with `InputError`.
 */
export async function recordedProfile(session: OpenedSession): Promise<ContextProfile> {
  const { columns } = session;
  const rows = columns.overheadRows - 1;
  if (rows === 0) throw new ProfileError("the file holds no system prompt and no tools");
  const items = await session.texts({ from: 0, to: rows });
  const entries = items.map(
    ({ text }, row): Recorded => ({
      name: columns.tables.overhead[row] ?? "",
      category: categoryOfCode(columns.category[row] ?? 0),
      text,
    }),
  );
  const of = (...categories: readonly string[]) => entries.filter(({ category }) => categories.includes(category));
  return {
    systemPrompt: of("systemPrompt", "startupContext")
      .map(({ text }) => text)
      .join("\n\n"),
    tools: of("builtinTools", "mcpTools", "deferredTools").map(toolOf),
    skills: of("skills").map(({ name, text }) => ({ name: name || "skills", description: text })),
    memoryFiles: of("memoryFiles").map(({ name, text }) => ({ path: name || "memory", content: text })),
  };
}

function toolOf({ name, text }: Recorded): ProfileTool {
  const { server, tool } = mcpNames(name) ?? {};
  const schema = schemaOf(text);
  return server === undefined || tool === undefined ? { name: name || "tool", schema } : { name: tool, server, schema };
}

/** A schema that was declared as a text is counted as one. */
function schemaOf(text: string): unknown {
  const value = parsedOr(text);
  return isObject(value) ? value : text;
}
