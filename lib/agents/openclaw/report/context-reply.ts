import type { Chars } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import { objectOf } from "../messages/value";
import type { InjectedFileSize, PromptReport } from "./prompt-report";

/** OpenClaw's answer to `/context`. Source: README.md, "Prompt report"; openclaw@2026.2.1, commands-context-report. */
export interface ReplySession {
  readonly totalTokens: unknown;
  readonly inputTokens: unknown;
  readonly outputTokens: unknown;
  readonly contextTokens: unknown;
}

const HELP = `🧠 /context

What counts as context (high-level), plus a breakdown mode.

Try:
- /context list   (short breakdown)
- /context detail (per-file + per-tool + per-skill + system prompt size)
- /context json   (same, machine-readable)

Inline shortcut = a command token inside a normal message (e.g. “hey /status”). It runs immediately (allowlisted senders only) and is stripped before the model sees the remaining text.`;
const UNKNOWN = "Unknown /context mode.\nUse: /context, /context list, /context detail, or /context json";
const SHORTCUT =
  "Inline shortcut: a command token inside normal text (e.g. “hey /status”) that runs immediately (allowlisted senders only) and is stripped before the model sees the remaining message.";

const MAX_TOP = 30;
const MAX_SKILL_NAMES = 20;
const MAX_TOOL_NAMES = 30;

/** The reply to a command such as `/context list`. */
export function contextReply(command: string, report: PromptReport, session: ReplySession): string {
  const argument = command.startsWith("/context ") ? command.slice("/context ".length) : "";
  const mode = argument.trim().split(/\s+/)[0]?.toLowerCase() ?? "";
  if (mode === "" || mode === "help") return HELP;
  if (mode === "json") return jsonReply(report, session);
  if (mode === "list" || mode === "show") return listReply(report, session);
  return mode === "detail" || mode === "deep" ? detailReply(report, session) : UNKNOWN;
}

/** The reply to `/context json`. */
export function jsonReply(report: PromptReport | null, session: ReplySession): string {
  const { totalTokens, inputTokens, outputTokens, contextTokens } = session;
  const values = {
    totalTokens: totalTokens ?? null,
    inputTokens: inputTokens ?? null,
    outputTokens: outputTokens ?? null,
    contextTokens: contextTokens ?? null,
  };
  return JSON.stringify({ report, session: values }, null, 2);
}

function listReply(report: PromptReport, session: ReplySession): string {
  const parts = partsOf(report, session);
  const lines = [
    "🧠 Context breakdown",
    ...parts.head,
    "",
    ...parts.files,
    "",
    ...parts.skills,
    ...parts.tools,
    "",
    parts.totals,
    "",
    SHORTCUT,
  ];
  return lines.join("\n");
}

/** The same with lists of the largest parts; it has no empty lines. */
function detailReply(report: PromptReport, session: ReplySession): string {
  const parts = partsOf(report, session);
  const { entries } = report.tools;
  const lines = [
    "🧠 Context breakdown (detailed)",
    ...parts.head,
    ...parts.files,
    ...parts.skills,
    ...topSkills(report),
    ...parts.tools,
    "Top tools (schema size):",
    ...topLines(
      entries.map(({ name, schemaChars }) => ({ name, chars: schemaChars })),
      "tools",
    ),
    "Top tools (summary text size):",
    ...topLines(
      entries.map(({ name, summaryChars }) => ({ name, chars: summaryChars })),
      "tools",
    ),
    ...parameterLines(report),
    parts.totals,
    SHORTCUT,
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function partsOf(report: PromptReport, session: ReplySession) {
  const sandbox = objectOf(report.sandbox);
  const limit = typeof report.bootstrapMaxChars === "number" ? count(report.bootstrapMaxChars) : "?";
  const { systemPrompt, skills, tools } = report;
  const skillNames = [...new Set(skills.entries.map((skill) => skill.name))];
  const total = session.totalTokens ?? null;
  return {
    head: [
      `Workspace: ${writtenAs(report.workspaceDir)}`,
      `Bootstrap max/file: ${limit} chars`,
      `Sandbox: mode=${writtenAs(sandbox.mode ?? "unknown")} sandboxed=${writtenAs(sandbox.sandboxed ?? false)}`,
      `System prompt (${writtenAs(report.source)}): ${size(systemPrompt.chars)} (Project Context ${size(systemPrompt.projectContextChars)})`,
    ],
    files: ["Injected workspace files:", ...report.injectedWorkspaceFiles.map(fileLine)],
    skills: [
      `Skills list (system prompt text): ${size(skills.promptChars)} (${skillNames.length} skills)`,
      `Skills: ${nameList(skillNames, MAX_SKILL_NAMES)}`,
    ],
    tools: [
      `Tool list (system prompt text): ${size(tools.listChars)}`,
      `Tool schemas (JSON): ${size(tools.schemaChars)} (counts toward context; not shown as text)`,
      `Tools: ${nameList(
        tools.entries.map((tool) => tool.name),
        MAX_TOOL_NAMES,
      )}`,
    ],
    totals: `Session tokens (cached): ${total === null ? "unknown" : `${count(Number(total))} total`} / ctx=${writtenAs(session.contextTokens ?? "?")}`,
  };
}

function fileLine(file: InjectedFileSize): string {
  const status = file.missing ? "MISSING" : file.truncated ? "TRUNCATED" : "OK";
  const [raw, injected] = file.missing ? ["0", "0"] : [size(file.rawChars), size(file.injectedChars)];
  return `- ${file.name}: ${status} | raw ${raw} | injected ${injected}`;
}

function nameList(names: readonly string[], most: number): string {
  if (names.length === 0) return "(none)";
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")}, … (+${names.length - most} more)`;
}

function topSkills({ skills }: PromptReport): readonly string[] {
  if (skills.entries.length === 0) return [];
  const entries = skills.entries.map(({ name, blockChars }) => ({ name, chars: blockChars }));
  return ["Top skills (prompt entry size):", ...topLines(entries, "skills")];
}

function topLines(entries: readonly { name: string; chars: Chars }[], what: string): readonly string[] {
  const sorted = entries.toSorted((a, b) => b.chars - a.chars);
  const lines = sorted.slice(0, MAX_TOP).map(({ name, chars }) => `- ${name}: ${size(chars)}`);
  return sorted.length > MAX_TOP ? [...lines, `… (+${sorted.length - MAX_TOP} more ${what})`] : lines;
}

function parameterLines({ tools }: PromptReport): readonly string[] {
  const lines = tools.entries
    .flatMap(({ name, propertiesCount }) => (propertiesCount === null ? [] : [{ name, properties: propertiesCount }]))
    .sort((a, b) => b.properties - a.properties)
    .slice(0, MAX_TOP)
    .map(({ name, properties }) => `- ${name}: ${properties} params`);
  return lines.length > 0 ? ["Tools (param count):", ...lines] : [];
}

function size(chars: Chars): string {
  return `${count(chars)} chars (~${count(Math.ceil(Math.max(0, chars) / 4))} tok)`;
}

const NUMBERS = new Intl.NumberFormat("en-US");

function count(value: number): string {
  return NUMBERS.format(value);
}
