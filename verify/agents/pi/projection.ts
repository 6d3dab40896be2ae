import type { PiPreset } from "@/lib/agents/pi/base/presets";
import { messagesTokens, messageTokens } from "@/lib/agents/pi/estimator";
import {
  type CompactionEntry,
  type ContextEditEntry,
  contextMessages,
  type PiEntry,
} from "@/lib/agents/pi/messages/entry";
import { contentText, type PiMessage, type SystemMessage } from "@/lib/agents/pi/messages/message";
import { isObject, textOf } from "@/lib/agents/shared/json";
import { type ContextEstimate, estimateContext } from "./usage";

/** An entry of the active context, and the model's view of it: nothing if it was removed or is not a message. */
export interface ProjectedEntry {
  readonly entry: PiEntry;
  readonly messages: readonly PiMessage[];
}

/** The model's input with the current settings. */
interface SessionContext {
  readonly entries: readonly ProjectedEntry[];
  readonly thinkingLevel: string;
  readonly model: { readonly provider: string; readonly modelId: string } | null;
}

/**
 * The entries from the root to a leaf. The path ends at a missing parent, and at one that it has already passed.
 * @param leafId if it is absent, or no entry has it, the last entry is the leaf
 */
export function sessionPath(entries: readonly PiEntry[], leafId?: string): readonly PiEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path = new Set<PiEntry>();
  let current = (leafId === undefined ? undefined : byId.get(leafId)) ?? entries.at(-1);
  while (current !== undefined && !path.has(current)) {
    path.add(current);
    current = current.parentId === undefined ? undefined : byId.get(current.parentId);
  }
  return [...path].reverse();
}

/**
 * The context of a path. If the path holds compactions, the context is the last one's summary, the entries that it kept and everything
 * after; `current` applies context edits. Source: README.md, "Context of a path".
 */
export function sessionContext(entries: readonly PiEntry[], preset: PiPreset, leafId?: string): SessionContext {
  const path = sessionPath(entries, leafId);
  const active = activeEntries(path, preset);
  return {
    entries: preset === "current" ? withEdits(active) : active.map(withoutEdits),
    thinkingLevel: path.reduce((level, entry) => thinkingLevelAfter(level, entry), "off"),
    model: path.reduce(modelAfter, null),
  };
}

function thinkingLevelAfter(level: string, entry: PiEntry): string {
  return entry.type === "thinking_level_change" ? entry.thinkingLevel : level;
}

function modelAfter(model: SessionContext["model"], entry: PiEntry): SessionContext["model"] {
  if (entry.type === "model_change") return { provider: entry.provider, modelId: entry.modelId };
  if (entry.type !== "message" || entry.message.role !== "assistant") return model;
  return { provider: entry.message.provider ?? "", modelId: entry.message.model ?? "" };
}

/** First the compaction, then its kept part, then everything after; without a compaction, the whole path. */
function activeEntries(path: readonly PiEntry[], preset: PiPreset): readonly PiEntry[] {
  const at = path.findLastIndex((entry) => entry.type === "compaction");
  const compaction = path[at];
  if (compaction?.type !== "compaction") return path;
  return [compaction, ...keptEntries(path.slice(0, at), compaction, preset), ...path.slice(at + 1)];
}

/** The kept part of a compaction. `current` omits prompts, since the compaction carries the prompt. */
function keptEntries(before: readonly PiEntry[], compaction: CompactionEntry, preset: PiPreset): readonly PiEntry[] {
  const from = before.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  if (from < 0) return [];
  const kept = before.slice(from);
  return preset === "current" ? kept.filter((entry) => !isSystem(entry)) : kept;
}

function isSystem(entry: PiEntry): boolean {
  return entry.type === "message" && entry.message.role === "system";
}

/** Messages of an entry regardless of edits. Of compactions, only the newest, which comes first, gives its summary. */
function withoutEdits(entry: PiEntry, index: number): ProjectedEntry {
  if (entry.type !== "compaction") return { entry, messages: contextMessages(entry) };
  const summary = contextMessages(entry).filter((message) => message.role !== "system");
  return { entry, messages: index === 0 ? summary : [] };
}

function withEdits(entries: readonly PiEntry[]): readonly ProjectedEntry[] {
  const edits = contextEdits(entries);
  return entries.map((entry, index) => {
    if (entry.type === "compaction" && index > 0) return { entry, messages: [] };
    return { entry, messages: editedMessages(entry, edits) };
  });
}

export type ContextEdits = ReadonlyMap<string | undefined, ContextEditEntry>;

/** The last edit for every target. */
export function contextEdits(entries: readonly PiEntry[]): ContextEdits {
  return new Map(entries.flatMap((entry) => (entry.type === "context_edit" ? [[entry.targetId, entry]] : [])));
}

/** An entry's messages after its last edit. Source: README.md, "Context of a path". */
export function editedMessages(entry: PiEntry, edits: ContextEdits): readonly PiMessage[] {
  const edit = edits.get(entry.id);
  const messages = contextMessages(entry);
  if (edit === undefined) return messages;
  return edit.replacement === undefined ? [] : messages.map((message) => withContent(message, edit));
}

function withContent(message: PiMessage, { replacement = [] }: ContextEditEntry): PiMessage {
  const blocks = typeof replacement === "string" ? [{ type: "text", text: replacement } as const] : replacement;
  switch (message.role) {
    case "user":
    case "custom":
      return { ...message, content: replacement };
    case "assistant":
    case "toolResult":
      return { ...message, content: blocks };
    default:
      return message;
  }
}

/**
 * Estimate of a projected context (`current`): a usage counts only if its response came after the latest compaction and the latest edit. Otherwise
 * everything is estimated, with all prompts replayed into one. Source: README.md, "Context of a path".
 * @param branch the path that was projected
 */
export function estimateProjectedContext(
  projected: readonly ProjectedEntry[],
  branch: readonly PiEntry[],
): ContextEstimate {
  const messages = projected.flatMap((one) => one.messages);
  const estimate = estimateContext(messages, "current");
  if (estimate.lastUsageIndex !== undefined) {
    const owners = projected.flatMap(({ entry, messages: own }) => own.map(() => entry));
    const owner = owners[estimate.lastUsageIndex];
    const at = branch.findIndex((entry) => entry.id !== undefined && entry.id === owner?.id);
    const changed = branch.findLastIndex((entry) => entry.type === "context_edit" || entry.type === "compaction");
    if (at > changed) return estimate;
  }
  const system = currentSystemMessage(messages);
  const prompt = system === undefined ? 0 : messageTokens(system, "current");
  const tokens =
    prompt +
    messagesTokens(
      messages.filter((message) => message.role !== "system"),
      "current",
    );
  return { tokens, usageTokens: 0, trailingTokens: tokens, lastUsageIndex: undefined };
}

/**
 * All prompts of a context replayed into one: contents joined by an empty line, sections patched by name, tools added and removed in order;
 * `undefined` without a prompt. Source: README.md, "Context of a path".
 */
function currentSystemMessage(messages: readonly PiMessage[]): SystemMessage | undefined {
  const systems = messages.filter((message) => message.role === "system");
  if (systems.length === 0) return undefined;
  const sections = new Map<string, string | null>();
  const tools = new Map<string, unknown>();
  for (const message of systems) {
    for (const [name, text] of message.sections) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
    for (const name of message.toolsRemoved) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(isObject(tool) ? textOf(tool.name) : "", tool);
  }
  return {
    role: "system",
    content: systems
      .map((message) => contentText(message.content, "\n"))
      .filter((text) => text !== "")
      .join("\n\n"),
    sections: [...sections],
    toolsAdded: tools.size === 0 ? undefined : [...tools.values()],
    toolsRemoved: [],
  };
}
