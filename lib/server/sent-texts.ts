import type { Settings } from "@/lib/core/compaction/settings";
import type { BlockKind } from "@/lib/core/transcript/model";

/** How an agent shortens the texts that it sends. What is absent it does not do, or it is not known how. */
export interface SentTexts {
  /** A tool's output as it enters the context. */
  readonly entered?: (text: string, tool: string | undefined) => string;
  /** What a compaction left of a text. @param left share of its size on entry */
  readonly truncated?: (text: string, tool: string | undefined, left: number) => string;
  /** What stands in the place of a cleared output. */
  readonly cleared?: (text: string, tool: string | undefined) => string;
}

/** How an item stands in a context: as it entered, as a part of that, or as a placeholder. */
export interface Standing {
  readonly standing: "whole" | "truncated" | "cleared";
  /** Share of its size on entry, 1 where it is whole. */
  readonly left: number;
}

/** Agents that shorten texts. Adding one is one line. */
const LOADERS: Readonly<Record<string, () => Promise<(preset: string, settings: Settings) => SentTexts>>> = {
  codex: async () => (await import("@/lib/agents/codex/sent-text")).sentTexts,
  "gemini-cli": async () => (await import("@/lib/agents/gemini-cli/sent-text")).sentTexts,
  "mini-claude-code": async () => (await import("@/lib/agents/mini-claude-code/sent-text")).sentTexts,
  openclaw: async () => (await import("@/lib/agents/openclaw/sent-text")).sentTexts,
  opencode: async () => (await import("@/lib/agents/opencode/sent-text")).sentTexts,
  pi: async () => (await import("@/lib/agents/pi/sent-text")).sentTexts,
  "qwen-code": async () => (await import("@/lib/agents/qwen-code/sent-text")).sentTexts,
};

/** How a policy's agent shortens texts. @param settings in force: without `entryTruncation` outputs enter as they are */
export async function sentTextsOf(policy: string, preset: string, settings: Settings): Promise<SentTexts> {
  const load = Object.hasOwn(LOADERS, policy) ? LOADERS[policy] : undefined;
  if (load === undefined) return {};
  const { entered, ...texts } = (await load())(preset, settings);
  return settings.entryTruncation === true && entered !== undefined ? { ...texts, entered } : texts;
}

/** Stands for a result whose content was cleared, where the agent's own words are not known. */
const CLEARED = "[content cleared]";

/** The text of an item as it is sent. */
export function sentText(
  texts: SentTexts,
  text: string,
  { kind, tool }: { readonly kind: BlockKind; readonly tool?: string | undefined },
  { standing, left }: Standing,
): string {
  const entered = kind === "tool_result" ? (texts.entered?.(text, tool) ?? text) : text;
  if (standing === "cleared") return texts.cleared?.(entered, tool) ?? CLEARED;
  return standing === "truncated" ? (texts.truncated?.(entered, tool, left) ?? entered) : entered;
}
