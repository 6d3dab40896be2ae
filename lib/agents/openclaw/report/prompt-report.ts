import { sumOf } from "@/lib/core/base/numbers";
import type { Chars } from "@/lib/core/base/units";
import {
  filledText,
  type JsonObject,
  jsonOf,
  objectOf,
  objectsOf,
  textOf,
  textSize,
  wholeNumber,
} from "../messages/value";

/** Sizes of the parts of a system prompt. Source: README.md, "Prompt report"; openclaw@2026.2.1, agents/system-prompt-report. */
export interface PromptReport {
  readonly source: unknown;
  readonly generatedAt: unknown;
  readonly sessionId: unknown;
  readonly sessionKey: unknown;
  readonly provider: unknown;
  readonly model: unknown;
  readonly workspaceDir: unknown;
  readonly bootstrapMaxChars: unknown;
  readonly sandbox: unknown;
  readonly systemPrompt: {
    readonly chars: Chars;
    readonly projectContextChars: Chars;
    readonly nonProjectContextChars: Chars;
  };
  readonly injectedWorkspaceFiles: readonly InjectedFileSize[];
  readonly skills: { readonly promptChars: Chars; readonly entries: readonly SkillSize[] };
  readonly tools: { readonly listChars: Chars; readonly schemaChars: Chars; readonly entries: readonly ToolSize[] };
}

export interface InjectedFileSize {
  readonly name: string;
  readonly path: unknown;
  /** As given. */
  readonly missing: unknown;
  readonly rawChars: Chars;
  readonly injectedChars: Chars;
  readonly truncated: boolean;
}

export interface SkillSize {
  readonly name: string;
  readonly blockChars: Chars;
}

export interface ToolSize {
  readonly name: string;
  readonly summaryChars: Chars;
  readonly schemaChars: Chars;
  readonly propertiesCount: number | null;
}

const PROJECT_CONTEXT = "\n# Project Context\n";
const AFTER_PROJECT_CONTEXT = "\n## Silent Replies\n";
const TOOL_LIST = "Tool names are case-sensitive. Call tools exactly as listed.\n";
const AFTER_TOOL_LIST =
  "\nTOOLS.md does not control tool availability; it is user guidance for how to use external tools.";

/** The report of a run: its parameters, and the sizes measured from them. */
export function promptReport(run: JsonObject): PromptReport {
  const prompt = (textOf(run.systemPrompt) ?? "").trim();
  const projectContextChars = between(prompt, PROJECT_CONTEXT, AFTER_PROJECT_CONTEXT).length;
  const skills = textOf(run.skillsPrompt) ?? "";
  const tools = objectsOf(run.tools).map(toolSize);
  return {
    source: run.source,
    generatedAt: run.generatedAt,
    sessionId: run.sessionId,
    sessionKey: run.sessionKey,
    provider: run.provider,
    model: run.model,
    workspaceDir: run.workspaceDir,
    bootstrapMaxChars: run.bootstrapMaxChars,
    sandbox: run.sandbox,
    systemPrompt: {
      chars: prompt.length,
      projectContextChars,
      nonProjectContextChars: Math.max(0, prompt.length - projectContextChars),
    },
    injectedWorkspaceFiles: fileSizes(run),
    skills: { promptChars: skills.length, entries: skillSizes(skills) },
    tools: {
      listChars: between(prompt, TOOL_LIST, AFTER_TOOL_LIST).replace(TOOL_LIST, "").trim().length,
      schemaChars: sumOf(tools.map((tool) => tool.schemaChars)),
      entries: tools,
    },
  };
}

/** A report that the program has stored, even with parts missing; `undefined` for any other value. */
export function storedReport(value: unknown): PromptReport | undefined {
  const report = objectOf(value);
  const prompt = objectOf(report.systemPrompt);
  if (typeof prompt.chars !== "number") return undefined;
  const tools = objectOf(report.tools);
  const skills = objectOf(report.skills);
  const { source, generatedAt, sessionId, sessionKey, provider, model } = report;
  return {
    source,
    generatedAt,
    sessionId,
    sessionKey,
    provider,
    model,
    workspaceDir: textOf(report.workspaceDir) ?? "",
    bootstrapMaxChars: report.bootstrapMaxChars,
    sandbox: report.sandbox,
    systemPrompt: {
      chars: size(prompt.chars),
      projectContextChars: size(prompt.projectContextChars),
      nonProjectContextChars: size(
        prompt.nonProjectContextChars ?? size(prompt.chars) - size(prompt.projectContextChars),
      ),
    },
    injectedWorkspaceFiles: objectsOf(report.injectedWorkspaceFiles).map((file) => ({
      name: textOf(file.name) ?? "",
      path: file.path,
      missing: file.missing === true,
      rawChars: size(file.rawChars),
      injectedChars: size(file.injectedChars),
      truncated: file.truncated === true,
    })),
    skills: {
      promptChars: size(skills.promptChars),
      entries: objectsOf(skills.entries).map((skill) => ({
        name: textOf(skill.name) ?? "",
        blockChars: size(skill.blockChars),
      })),
    },
    tools: {
      listChars: size(tools.listChars),
      schemaChars: size(tools.schemaChars),
      entries: objectsOf(tools.entries).map((tool) => ({
        name: textOf(tool.name) ?? "",
        summaryChars: size(tool.summaryChars),
        schemaChars: size(tool.schemaChars),
        propertiesCount: wholeNumber(tool.propertiesCount) ?? null,
      })),
    },
  };
}

function size(value: unknown): Chars {
  return textSize(value) ?? 0;
}

/** From the first start, inclusive, to the first end after it, or to the text's end. */
function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  if (from < 0) return "";
  const to = text.indexOf(end, from + start.length);
  return to < 0 ? text.slice(from) : text.slice(from, to);
}

function fileSizes(run: JsonObject): readonly InjectedFileSize[] {
  const injected = new Map(objectsOf(run.injectedFiles).map((file) => [file.path, textOf(file.content) ?? ""]));
  const limit = run.bootstrapMaxChars;
  return objectsOf(run.bootstrapFiles).map((file) => {
    const { missing } = file;
    const rawChars = missing ? 0 : (textOf(file.content) ?? "").trimEnd().length;
    return {
      name: textOf(file.name) ?? "",
      path: file.path,
      missing,
      rawChars,
      injectedChars: injected.get(file.name)?.length ?? 0,
      truncated: !missing && typeof limit === "number" && rawChars > limit,
    };
  });
}

/** Sizes of the shortest `<skill>` blocks, matched case-insensitively. */
function skillSizes(prompt: string): readonly SkillSize[] {
  const lower = asciiLower(prompt);
  const sizes: SkillSize[] = [];
  for (let from = lower.indexOf("<skill>"); from >= 0; ) {
    const end = lower.indexOf("</skill>", from + "<skill>".length);
    if (end < 0) break;
    const until = end + "</skill>".length;
    sizes.push({ name: skillName(prompt.slice(from, until)), blockChars: until - from });
    from = lower.indexOf("<skill>", until);
  }
  return sizes;
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The first name that holds a text without another tag. */
function skillName(block: string): string {
  const lower = asciiLower(block);
  for (let at = lower.indexOf("<name>"); at >= 0; at = lower.indexOf("<name>", at + 1)) {
    const from = at + "<name>".length;
    const end = block.indexOf("<", from);
    const name = end < 0 ? "" : block.slice(from, end).trim();
    if (end > from && lower.startsWith("</name>", end)) return name === "" ? "(unknown)" : name;
  }
  return "(unknown)";
}

function toolSize(tool: JsonObject): ToolSize {
  const summary = filledText(textOf(tool.description)?.trim()) ?? textOf(tool.label)?.trim() ?? "";
  const parameters = typeof tool.parameters === "object" && tool.parameters !== null ? tool.parameters : undefined;
  const properties = objectOf(parameters).properties;
  return {
    name: textOf(tool.name) ?? "",
    summaryChars: summary.length,
    schemaChars: parameters === undefined ? 0 : (jsonOf(parameters)?.length ?? 0),
    propertiesCount: typeof properties === "object" && properties !== null ? Object.keys(properties).length : null,
  };
}
