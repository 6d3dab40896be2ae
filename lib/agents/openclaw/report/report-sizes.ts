import type { Chars, Tokens } from "@/lib/core/base/units";
import type { ContextOverhead, NamedTokens, OverheadCategory } from "@/lib/core/context/context-overhead";
import { overheadOf } from "@/lib/core/context/profile";
import type { PromptReport } from "./prompt-report";

/**
 * A system prompt report as parts that do not overlap. In the report, workspace files, skills and the tool list are inside the prompt, and the
 * schemas are outside; so they are subtracted from the prompt here. Source: README.md, "Prompt report".
 */
export function reportOverhead(report: PromptReport): ContextOverhead {
  const { systemPrompt, skills, tools, injectedWorkspaceFiles: files } = report;
  const inPrompt = skills.promptChars + tools.listChars;
  const injected = files.reduce((sum, file) => sum + (file.missing ? 0 : file.injectedChars), 0);
  // A prompt that states no size for its files was measured without them.
  const filesChars = systemPrompt.projectContextChars > 0 ? systemPrompt.projectContextChars : injected;
  const within = systemPrompt.nonProjectContextChars >= inPrompt;
  const prompt = within ? systemPrompt.nonProjectContextChars - inPrompt : systemPrompt.nonProjectContextChars;
  const categories = [
    category("systemPrompt", prompt, []),
    category(
      "builtinTools",
      tools.listChars + tools.schemaChars,
      sized(tools.entries, (tool) => tool.schemaChars),
    ),
    category(
      "skills",
      skills.promptChars,
      sized(skills.entries, (skill) => skill.blockChars),
    ),
    category(
      "memoryFiles",
      filesChars,
      sized(files, (file) => file.injectedChars),
    ),
  ];
  return { ...overheadOf([]), categories: categories.filter(({ tokens }) => tokens > 0) };
}

function category(id: OverheadCategory["id"], chars: Chars, items: readonly NamedTokens[]): OverheadCategory {
  return { id, tokens: tokensOf(chars), items };
}

function sized<T extends { readonly name: string }>(entries: readonly T[], chars: (entry: T) => Chars): NamedTokens[] {
  return entries.map((entry) => ({ name: entry.name, tokens: tokensOf(chars(entry)) }));
}

/** Source: README.md, "Sizes". */
function tokensOf(chars: Chars): Tokens {
  return Math.ceil(Math.max(0, chars) / 4);
}
