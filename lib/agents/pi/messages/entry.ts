import { isObject, type JsonObject, textOf } from "@/lib/agents/shared/json";
import { type PiContent, type PiMessage, type SystemMessage, toContent, toMessage } from "./message";

/** The files that a summary has seen, as its entry lists them. */
export interface FileDetails {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

interface EntryBase {
  readonly id: string | undefined;
  readonly parentId: string | undefined;
}

interface MessageEntry extends EntryBase {
  readonly type: "message";
  readonly message: PiMessage;
}

/** A message that an extension inserted. */
interface CustomMessageEntry extends EntryBase {
  readonly type: "custom_message";
  readonly content: PiContent;
}

interface BranchSummaryEntry extends EntryBase {
  readonly type: "branch_summary";
  readonly summary: string;
  /** Absent if an extension made the summary, or if nothing is recorded. */
  readonly files: FileDetails | undefined;
}

export interface CompactionEntry extends EntryBase {
  readonly type: "compaction";
  readonly summary: string;
  readonly tokensBefore: unknown;
  readonly firstKeptEntryId: string | undefined;
  readonly files: FileDetails | undefined;
  /** Prompt and tools at the boundary (1.x). */
  readonly systemMessage: SystemMessage | undefined;
}

/** A later change to an entry's content in the context (since 0.87). */
export interface ContextEditEntry extends EntryBase {
  readonly type: "context_edit";
  readonly targetId: string;
  /** The new content; `undefined` removes the entry from the context. */
  readonly replacement: PiContent | undefined;
}

interface ModelChangeEntry extends EntryBase {
  readonly type: "model_change";
  readonly provider: string;
  readonly modelId: string;
}

interface ThinkingLevelEntry extends EntryBase {
  readonly type: "thinking_level_change";
  readonly thinkingLevel: string;
}

/** An entry without content for the context: labels, names, an extension's state, unknown kinds. */
interface OtherEntry extends EntryBase {
  readonly type: "other";
}

/** An entry of a session's tree. */
export type PiEntry =
  | MessageEntry
  | CustomMessageEntry
  | BranchSummaryEntry
  | CompactionEntry
  | ContextEditEntry
  | ModelChangeEntry
  | ThinkingLevelEntry
  | OtherEntry;

/** Makes an entry from JSON of any shape. Source: README.md, "Records". */
export function toEntry(value: unknown): PiEntry {
  const entry = isObject(value) ? value : {};
  const base = { id: optionalText(entry.id), parentId: optionalText(entry.parentId) };
  switch (entry.type) {
    case "message":
      return { ...base, type: "message", message: toMessage(entry.message) };
    case "custom_message":
      return { ...base, type: "custom_message", content: toContent(entry.content) };
    case "branch_summary":
      return { ...base, type: "branch_summary", summary: textOf(entry.summary), files: filesOf(entry) };
    case "compaction":
      return { ...base, type: "compaction", ...compactionFields(entry) };
    case "context_edit": {
      const replacement = isObject(entry.replacement) ? toContent(entry.replacement.content) : undefined;
      return { ...base, type: "context_edit", targetId: textOf(entry.targetId), replacement };
    }
    case "model_change":
      return { ...base, type: "model_change", provider: textOf(entry.provider), modelId: textOf(entry.modelId) };
    case "thinking_level_change":
      return { ...base, type: "thinking_level_change", thinkingLevel: textOf(entry.thinkingLevel) };
    default:
      return { ...base, type: "other" };
  }
}

function compactionFields(entry: JsonObject): Omit<CompactionEntry, "type" | "id" | "parentId"> {
  const system = isObject(entry.systemMessage) ? toMessage({ ...entry.systemMessage, role: "system" }) : undefined;
  return {
    summary: textOf(entry.summary),
    tokensBefore: entry.tokensBefore,
    firstKeptEntryId: optionalText(entry.firstKeptEntryId),
    files: filesOf(entry),
    systemMessage: system?.role === "system" ? system : undefined,
  };
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function filesOf(entry: JsonObject): FileDetails | undefined {
  if (entry.fromHook || !isObject(entry.details)) return undefined;
  return { readFiles: texts(entry.details.readFiles), modifiedFiles: texts(entry.details.modifiedFiles) };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/**
 * The messages of an entry in the context, before any edit: none for most kinds, two for a compaction that holds the prompt. Source: README.md,
 * "Context of a path".
 */
export function contextMessages(entry: PiEntry): readonly PiMessage[] {
  if (entry.type === "branch_summary" && entry.summary === "") return [];
  const message = messageOfEntry(entry);
  if (message === undefined) return [];
  return entry.type === "compaction" && entry.systemMessage !== undefined ? [entry.systemMessage, message] : [message];
}

/** The one message of an entry, including empty summaries; `undefined` for kinds without one. */
export function messageOfEntry(entry: PiEntry): PiMessage | undefined {
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message":
      return { role: "custom", content: entry.content };
    case "branch_summary":
      return { role: "branchSummary", summary: entry.summary };
    case "compaction":
      return { role: "compactionSummary", summary: entry.summary, tokensBefore: entry.tokensBefore };
    default:
      return undefined;
  }
}
