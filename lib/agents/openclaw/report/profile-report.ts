import { sumOf } from "@/lib/core/base/numbers";
import { type ContextProfile, type ProfileSkill, type ProfileTool, toolName } from "@/lib/core/context/profile";
import type { OpenClawPreset } from "../base/presets";
import { isObject, type JsonObject, objectOf, positiveInteger } from "../messages/value";
import { BOOTSTRAP_MAX_CHARS, bootstrapFiles } from "./bootstrap-files";
import { type InjectedFileSize, type PromptReport, promptReport, type SkillSize, type ToolSize } from "./prompt-report";

const CHARS_PER_TOKEN = 4;

/**
 * The report that the program would make from the contents of a context profile; sizes in tokens are converted back to characters. Its source is
 * `estimate`, because no run measured it.
 */
export function reportOfProfile(profile: ContextProfile, preset: OpenClawPreset): PromptReport {
  const maxChars = positiveInteger(objectOf(objectOf(objectOf(profile.config).agents).defaults).bootstrapMaxChars);
  const texts = (profile.memoryFiles ?? []).flatMap(({ path, content }) =>
    typeof content === "string" ? [{ name: path, path, content, missing: false }] : [],
  );
  const report = promptReport({
    source: "estimate",
    workspaceDir: "",
    bootstrapMaxChars: maxChars ?? BOOTSTRAP_MAX_CHARS,
    systemPrompt: typeof profile.systemPrompt === "string" ? profile.systemPrompt : "",
    bootstrapFiles: texts,
    injectedFiles: bootstrapFiles(texts, preset, { maxChars }).files,
    skillsPrompt: "",
    tools: [],
  });
  const prompt = typeof profile.systemPrompt === "number" ? profile.systemPrompt * CHARS_PER_TOKEN : 0;
  const tools = (profile.tools ?? []).map(toolSize);
  const skills = (profile.skills ?? []).map(skillSize);
  return {
    ...report,
    systemPrompt: {
      ...report.systemPrompt,
      chars: report.systemPrompt.chars + prompt,
      nonProjectContextChars: report.systemPrompt.nonProjectContextChars + prompt,
    },
    injectedWorkspaceFiles: [...report.injectedWorkspaceFiles, ...givenSizes(profile)],
    skills: { promptChars: sumOf(skills.map((skill) => skill.blockChars)), entries: skills },
    tools: { ...report.tools, schemaChars: sumOf(tools.map((tool) => tool.schemaChars)), entries: tools },
  };
}

/** Files with only a size: the effect of the limit on them is unknown. */
function givenSizes({ memoryFiles = [] }: ContextProfile): readonly InjectedFileSize[] {
  return memoryFiles.flatMap(({ path, content }) => {
    if (typeof content !== "number") return [];
    const chars = content * CHARS_PER_TOKEN;
    return [{ name: path, path, missing: false, rawChars: chars, injectedChars: chars, truncated: false }];
  });
}

/** Size of a skill's block in the prompt. */
function skillSize({ name, description = "" }: ProfileSkill): SkillSize {
  if (typeof description === "number") return { name, blockChars: description * CHARS_PER_TOKEN };
  return {
    name,
    blockChars: `<skill>\n<name>${name}</name>\n<description>${description}</description>\n</skill>`.length,
  };
}

function toolSize(tool: ProfileTool): ToolSize {
  const { schema } = tool;
  const name = toolName(tool);
  if (typeof schema === "number") {
    return { name, summaryChars: 0, schemaChars: schema * CHARS_PER_TOKEN, propertiesCount: null };
  }
  if (!isObject(schema)) {
    return {
      name,
      summaryChars: 0,
      schemaChars: typeof schema === "string" ? schema.length : 0,
      propertiesCount: null,
    };
  }
  const [size] = promptReport({ tools: [{ ...schema, name, parameters: parametersOf(schema) }] }).tools.entries;
  return size ?? { name, summaryChars: 0, schemaChars: 0, propertiesCount: null };
}

/** A declaration's parameters, under any of the names that providers use; without one, the schema itself is the parameters. */
function parametersOf(schema: JsonObject): unknown {
  return schema.parameters ?? schema.input_schema ?? schema.inputSchema ?? schema.parametersJsonSchema ?? schema;
}
