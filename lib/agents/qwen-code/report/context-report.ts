import type { Tokens } from "@/lib/core/base/units";
import type { NamedTokens } from "@/lib/core/context/context-overhead";
import type { DocumentedShares } from "./context-shares";
import type { MemoryFile } from "./memory-files";

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly level: string;
  readonly body?: string | undefined;
  readonly filePath?: string | undefined;
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

/** A skill as the skill tool's declaration lists it. */
export function listedSkillText({ name, description, level }: Pick<Skill, "name" | "description" | "level">): string {
  const lines = ["<skill>", "<name>", name, "</name>", "<description>", `${description} (${level})`, "</description>"];
  return [...lines, "<location>", level, "</location>", "</skill>"].join("\n");
}
