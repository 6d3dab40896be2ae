import { PRUNING_IMAGE_CHARS, PRUNING_OTHER_CHARS } from "@/lib/agents/openclaw/base/constants";
import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { type AgentMessage, blocksOf } from "@/lib/agents/openclaw/messages/message";
import { stringChars } from "@/lib/agents/openclaw/messages/string-chars";
import { type JsonObject, listOf, objectOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { callChars, currentTrim, documentedTrim, hasImage } from "@/lib/agents/openclaw/sent/prune";
import type { PruningSettings } from "@/lib/agents/openclaw/sent/pruning-settings";
import { sumOf } from "@/lib/core/base/numbers";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";

/**
 * Options of pruning, which makes old tool results smaller in memory, never in the file: long ones are trimmed to head and tail, and if that is not enough they are cleared,
 * oldest first. It counts characters, four for a token of the window. Source: README.md, "Pruning"; openclaw@2026.2.1, context-pruning/pruner;
 * openclaw@2026.9.6, tool-result-truncation.
 */
interface PruningOptions {
  readonly settings: PruningSettings;
  /** 0 or absent: nothing is pruned. */
  readonly window: Tokens | undefined;
  readonly preset: OpenClawPreset;
}

const CHARS_PER_TOKEN = 4;

/** The messages with old results pruned; the given list itself if nothing changes. */
export function pruneResults(messages: readonly AgentMessage[], options: PruningOptions): readonly AgentMessage[] {
  const { settings, window } = options;
  const from = messages.findIndex((message) => message.role === "user");
  const to = protectedFrom(messages, settings.keepLastAssistants);
  if (window === undefined || !(window > 0) || to === undefined) return messages;
  const pruning = new Pruning(messages, options, window * CHARS_PER_TOKEN);
  if (pruning.share < settings.softTrimRatio || from < 0) return messages;
  const old = pruning.prunable(from, to);
  for (const at of old) pruning.trim(at);
  if (pruning.share >= settings.hardClearRatio && settings.hardClear.enabled) {
    if (pruning.charsOf(old) >= settings.minPrunableToolChars) {
      for (const at of old) if (pruning.share >= settings.hardClearRatio) pruning.clear(at);
    }
  }
  return pruning.messages;
}

/** Start of the protected end: the n-th last response. Absent if there are fewer. */
function protectedFrom(messages: readonly AgentMessage[], keep: number): number | undefined {
  if (keep <= 0) return messages.length;
  return messages.flatMap((message, at) => (message.role === "assistant" ? [at] : [])).at(-keep);
}

class Pruning {
  messages: readonly AgentMessage[];
  readonly #settings: PruningSettings;
  readonly #preset: OpenClawPreset;
  readonly #windowChars: Chars;
  #chars: Chars;

  constructor(messages: readonly AgentMessage[], { settings, preset }: PruningOptions, windowChars: Chars) {
    this.messages = messages;
    this.#settings = settings;
    this.#preset = preset;
    this.#windowChars = windowChars;
    this.#chars = sumOf(messages.map((message) => pruningChars(message, preset)));
  }

  /** Share of the window that all messages take. */
  get share(): number {
    return this.#chars / this.#windowChars;
  }

  /** Positions of the results that may be pruned. Release 2026.2.1 does not prune those with images. */
  prunable(from: number, to: number): readonly number[] {
    const isPrunable = prunableTools(objectOf(this.#settings.tools));
    const positions: number[] = [];
    for (let at = from; at < to; at++) {
      const message = this.messages[at] ?? {};
      if (message.role !== "toolResult" || !isPrunable(textOf(message.toolName) ?? "")) continue;
      if (this.#preset === "current" || !hasImage(message)) positions.push(at);
    }
    return positions;
  }

  charsOf(positions: readonly number[]): Chars {
    return sumOf(positions.map((at) => pruningChars(this.messages[at] ?? {}, this.#preset)));
  }

  trim(at: number): void {
    const message = this.messages[at] ?? {};
    const text =
      this.#preset === "current" ? currentTrim(message, this.#settings) : documentedTrim(message, this.#settings);
    if (text !== undefined) this.#replace(at, text);
  }

  clear(at: number): void {
    this.#replace(at, this.#settings.hardClear.placeholder);
  }

  #replace(at: number, text: string): void {
    const before = this.messages[at] ?? {};
    const after: AgentMessage = { ...before, content: [{ type: "text", text }] };
    this.#chars += pruningChars(after, this.#preset) - pruningChars(before, this.#preset);
    this.messages = this.messages.with(at, after);
  }
}

/** Chars of a message as pruning counts them: a call's arguments without its name, 8,000 for an image, 256 for other roles. */
export function pruningChars(message: AgentMessage, preset: OpenClawPreset): Chars {
  const measure = preset === "current" ? stringChars : (text: string) => text.length;
  const { role, content } = message;
  if (role !== "user" && role !== "assistant" && role !== "toolResult") return PRUNING_OTHER_CHARS;
  if (role === "user" && typeof content === "string") return measure(content);
  const blockChars = (block: JsonObject) =>
    block.type === "image" && (role !== "assistant" || preset === "current")
      ? PRUNING_IMAGE_CHARS
      : block.type === "text"
        ? measure(textOf(block.text) ?? "")
        : role === "assistant"
          ? assistantChars(block, preset, measure)
          : 0;
  return sumOf(blocksOf(message).map(blockChars));
}

function assistantChars(block: JsonObject, preset: OpenClawPreset, measure: (text: string) => Chars): Chars {
  if (block.type === "toolCall") return callChars(block);
  const chars = (...values: readonly unknown[]) => sumOf(values.map((value) => measure(textOf(value) ?? "")));
  if (preset === "as-documented") return block.type === "thinking" ? chars(block.thinking) : 0;
  if (block.type === "thinking") return chars(block.thinking, block.thinkingSignature);
  return block.type === "redacted_thinking" ? chars(block.thinking, block.thinkingSignature, block.data) : 0;
}

/**
 * Patterns of tools whose results may be pruned. Source: README.md, "Pruning"; openclaw@2026.2.1, context-pruning/tools. Patterns are matched without
 * regular expressions, since a pattern with many stars would take one of those very long.
 */
interface ToolGlobs {
  readonly allow?: unknown;
  readonly deny?: unknown;
}

/** Makes a test for tool names. Denied tools are not prunable; if no tool is allowed by name, all others are. */
export function prunableTools(globs: ToolGlobs): (tool: string) => boolean {
  const deny = patternsOf(globs.deny);
  const allow = patternsOf(globs.allow);
  return (tool) => {
    const name = tool.trim().toLowerCase();
    if (deny.some((pattern) => matches(pattern, name))) return false;
    return allow.length === 0 || allow.some((pattern) => matches(pattern, name));
  };
}

function patternsOf(value: unknown): readonly string[] {
  return listOf(value)
    .map((pattern) =>
      writtenAs(pattern ?? "")
        .trim()
        .toLowerCase(),
    )
    .filter((pattern) => pattern !== "");
}

const LINE_END = /[\n\r\u2028\u2029]/;

/** `*` matches any text within a line; a pattern of `*` alone matches any text at all. */
function matches(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  const pieces = pattern.split("*");
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return name === pattern;
  const last = rest.pop() ?? "";
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  // The leftmost match of every piece leaves the most room for the next; gaps never hold a line end.
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end || LINE_END.test(name.slice(at, found))) return false;
    at = found + piece.length;
  }
  return !LINE_END.test(name.slice(at, end));
}
