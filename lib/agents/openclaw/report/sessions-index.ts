import type { Chars, Milliseconds, Tokens } from "@/lib/core/base/units";
import { parsedOr } from "../../json";
import {
  filledText,
  finite,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  textSize,
  wholeNumber,
} from "../messages/value";
import { type PromptReport, storedReport } from "./prompt-report";

/**
 * `sessions.json`, which is beside the transcripts: what OpenClaw knows about every conversation. It is parsed from its text here, without file
 * access. Source: README.md, "Session store"; openclaw@2026.2.1, config/sessions.
 */
export interface IndexedSession {
  /** The conversation: `agent:<agent>:main`, `…:group:<id>`, `cron:<job>`, … It stays the same when a session is reset. */
  readonly key: string;
  readonly sessionId: string;
  readonly updatedAt?: Milliseconds;
  /** Name of the transcript, without its folder. */
  readonly file: string;
  /** What people call it: a label, a subject, a display name. */
  readonly title?: string;
  readonly channel?: string;
  /** Key of the conversation that started this one as a subagent. */
  readonly parentKey?: string;
  readonly model?: string;
  readonly provider?: string;
  /** The window with which the last run worked. */
  readonly contextTokens?: Tokens;
  /** Counters of the last run; `totalTokens` is what it sent last, without output. */
  readonly inputTokens?: Tokens;
  readonly outputTokens?: Tokens;
  readonly totalTokens?: Tokens;
  readonly compactions?: number;
  readonly memoryFlushedAt?: number;
  readonly systemPrompt?: IndexedPrompt;
  /** The same report with everything that is stored of it. */
  readonly report?: PromptReport;
}

/** Sizes of the system prompt, as the last run measured them. The parts overlap. */
export interface IndexedPrompt {
  /** `run` where it was sent, `estimate` where somebody asked before. */
  readonly source: string;
  readonly workspaceDir?: string;
  readonly chars: Chars;
  /** Workspace files, included in `chars`. */
  readonly projectContextChars: Chars;
  readonly files: readonly { readonly name: string; readonly injectedChars: Chars; readonly truncated: boolean }[];
  /** Included in `chars`. */
  readonly skillsChars: Chars;
  readonly skills: readonly { readonly name: string; readonly chars: Chars }[];
  /** Included in `chars`. */
  readonly toolListChars: Chars;
  /** The tools' schemas, which are not part of the prompt. */
  readonly toolSchemaChars: Chars;
  readonly tools: readonly { readonly name: string; readonly schemaChars: Chars }[];
}

/** The sessions of a store, in its order. Odd entries are left out; a text that is no store holds none. */
export function readSessionsIndex(text: string): readonly IndexedSession[] {
  return Object.entries(objectOf(parsedOr(text))).flatMap(([key, entry]) =>
    isObject(entry) ? (sessionOf(key, entry) ?? []) : [],
  );
}

function sessionOf(key: string, entry: JsonObject): IndexedSession | undefined {
  const sessionId = filledText(entry.sessionId);
  if (sessionId === undefined) return undefined;
  const path = filledText(textOf(entry.sessionFile)?.trim());
  return defined({
    key,
    sessionId,
    updatedAt: finite(entry.updatedAt),
    file: path === undefined ? `${sessionId}.jsonl` : lastPart(path),
    title: titleOf(entry),
    channel: filledText(entry.channel) ?? filledText(entry.lastChannel),
    parentKey: filledText(entry.spawnedBy),
    model: filledText(entry.model),
    provider: filledText(entry.modelProvider),
    contextTokens: textSize(entry.contextTokens),
    inputTokens: textSize(entry.inputTokens),
    outputTokens: textSize(entry.outputTokens),
    totalTokens: textSize(entry.totalTokens),
    compactions: wholeNumber(entry.compactionCount),
    memoryFlushedAt: wholeNumber(entry.memoryFlushCompactionCount),
    systemPrompt: isObject(entry.systemPromptReport) ? promptOf(entry.systemPromptReport) : undefined,
    report: storedReport(entry.systemPromptReport),
  });
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** The object without absent fields. */
function defined<T extends object>(fields: T): Defined<T> {
  // Only absent fields are removed, so the rest has the type without `undefined`.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The last part of a path, which may come from another system than ours. */
function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function titleOf(entry: JsonObject): string | undefined {
  const origin = objectOf(entry.origin);
  const names = [entry.label, entry.displayName, entry.subject, entry.groupChannel, origin.label];
  return names.map((name) => filledText(textOf(name)?.trim())).find((name) => name !== undefined);
}

/** A report as `promptReport` makes it; a missing part counts as empty. */
function promptOf(report: JsonObject): IndexedPrompt | undefined {
  const prompt = objectOf(report.systemPrompt);
  const chars = textSize(prompt.chars);
  if (chars === undefined) return undefined;
  const skills = objectOf(report.skills);
  const tools = objectOf(report.tools);
  return defined({
    source: textOf(report.source) ?? "",
    workspaceDir: filledText(report.workspaceDir),
    chars,
    projectContextChars: textSize(prompt.projectContextChars) ?? 0,
    files: entries(report.injectedWorkspaceFiles).map((file) => ({
      name: textOf(file.name) ?? "",
      injectedChars: textSize(file.injectedChars) ?? 0,
      truncated: file.truncated === true,
    })),
    skillsChars: textSize(skills.promptChars) ?? 0,
    skills: entries(skills.entries).map((skill) => ({
      name: textOf(skill.name) ?? "",
      chars: textSize(skill.blockChars) ?? 0,
    })),
    toolListChars: textSize(tools.listChars) ?? 0,
    toolSchemaChars: textSize(tools.schemaChars) ?? 0,
    tools: entries(tools.entries).map((tool) => ({
      name: textOf(tool.name) ?? "",
      schemaChars: textSize(tool.schemaChars) ?? 0,
    })),
  });
}

function entries(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}
