import type { Chars } from "@/lib/core/base/units";
import { OUTPUT_CHARS, OUTPUT_LINES } from "../base/constants";
import type { QwenCodePreset } from "../base/presets";
import { type OutputLimits, truncateOutput } from "./truncate-output";

/** Limits on a tool's output as it enters the context. Source: README.md, "Tool outputs"; the releases' schedulers. */

/** Replaces the path of the file with the whole output: only the length of its path counts. */
const OUTPUT_FILE = `/home/user/.qwen/tmp/${"0".repeat(64)}/run_shell_command_0123456789ab.output`;

/** UTF-16 units of an output as it enters the context, under the default limits. */
export function enteredChars(tool: string, text: string, preset: QwenCodePreset): Chars {
  return enteredText(tool, text, preset).length;
}

/** An output as it enters the context. The name of the file with the whole output is invented. */
export function enteredText(tool: string, text: string, preset: QwenCodePreset): string {
  return preset === "current" ? enteredCurrent(tool, text) : enteredDocumented(tool, text);
}

const ENDLESS = Number.POSITIVE_INFINITY;
const UNLIMITED = new Set(["read_mcp_resource", "exec"]);
const LIMITS: Readonly<Record<string, OutputLimits>> = {
  run_shell_command: { threshold: 30_000, lines: ENDLESS, keep: "both", previewChars: 4_000 },
  grep_search: { threshold: 20_000, lines: ENDLESS, keep: "both" },
  agent: { threshold: 32_000, lines: ENDLESS, keep: "tail" },
};
const MCP_LIMITS: OutputLimits = { threshold: 500_000, lines: ENDLESS, keep: "both" };
const OTHER_LIMITS: OutputLimits = { threshold: OUTPUT_CHARS, lines: OUTPUT_LINES, keep: "both" };

function enteredCurrent(tool: string, text: string): string {
  if (tool === READ) return readOutput(text);
  if (UNLIMITED.has(tool)) return text;
  const own = Object.hasOwn(LIMITS, tool) ? LIMITS[tool] : undefined;
  const limits = own ?? (tool.startsWith("mcp__") ? MCP_LIMITS : OTHER_LIMITS);
  return truncateOutput(text, limits, OUTPUT_FILE).content;
}

/** In 0.12.0 the scheduler truncates only the shell's output; reads and searches cut their own. */
function enteredDocumented(tool: string, text: string): string {
  if (tool === READ) return readOutput(text);
  if (text.length <= OUTPUT_CHARS) return text;
  if (tool === "grep_search") return `${text.slice(0, OUTPUT_CHARS)}...`;
  return tool === "run_shell_command" ? documentedShellOutput(text, OUTPUT_FILE) : text;
}

const READ = "read_file";

/**
 * Both releases cut a read at a number of characters. They also stop after 1,000 lines unless the call sets another number. Other agents' calls do so
 * in other ways, so lines are not cut here.
 */
function readOutput(text: string): string {
  return text.length <= OUTPUT_CHARS ? text : `${text.slice(0, OUTPUT_CHARS)}... [truncated]`;
}

const WRAP_CHARS: Chars = 120;

/**
 * Cut of a shell output above 25,000 characters in 0.12.0: its first 200 and its last 800 lines, in a wrapper. An output with fewer lines is first
 * wrapped at 120 characters, so the result may be no shorter.
 */
function documentedShellOutput(text: string, outputFile: string): string {
  const lines = text.split("\n");
  const wrapped = lines.length <= OUTPUT_LINES ? lines.flatMap(wrappedLine) : lines;
  const head = Math.floor(OUTPUT_LINES / 5);
  return [
    "Tool output was too large and has been truncated.",
    `The full output has been saved to: ${outputFile}`,
    "To read the complete output, use the read_file tool with the absolute file path above.",
    "The truncated output below shows the beginning and end of the content. The marker '... [CONTENT TRUNCATED] ...' indicates where content was removed.",
    "This allows you to efficiently examine different parts of the output without loading the entire file.",
    "Truncated part of the output:",
    ...wrapped.slice(0, head),
    "... [CONTENT TRUNCATED] ...",
    ...wrapped.slice(-(OUTPUT_LINES - head)),
  ].join("\n");
}

function wrappedLine(line: string): readonly string[] {
  if (line.length <= WRAP_CHARS) return [line];
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += WRAP_CHARS) pieces.push(line.slice(at, at + WRAP_CHARS));
  return pieces;
}
