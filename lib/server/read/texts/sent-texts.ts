import { serverProfileOf } from "@/lib/agents/registry";
import type { SentTexts } from "@/lib/agents/shared/server-profile";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { BlockKind } from "@/lib/core/transcript/model";

/** The state of an item in a context: as it entered, shortened, or replaced by a placeholder. */
export interface SentState {
  readonly sentAs: "whole" | "truncated" | "cleared";
  /** Remaining share of its size on entry; 1 if whole. */
  readonly left: number;
}

/** An agent's truncation of texts under a policy. @param settings in force: without `entryTruncation` outputs enter unchanged */
export async function sentTextsOf(policy: string, preset: string, settings: Settings): Promise<SentTexts> {
  const rule = await serverProfileOf(policy)?.sentTexts?.();
  if (rule === undefined) return {};
  const { entered, ...texts } = rule(preset, settings);
  return settings.entryTruncation === true && entered !== undefined ? { ...texts, entered } : texts;
}

/** Replaces a cleared result if the agent's own placeholder is not known. */
const CLEARED = "[content cleared]";

/** The text of an item as sent. */
export function sentText(
  texts: SentTexts,
  text: string,
  { kind, tool }: { readonly kind: BlockKind; readonly tool?: string | undefined },
  { sentAs, left }: SentState,
): string {
  const entered = kind === "tool_result" ? (texts.entered?.(text, tool) ?? text) : text;
  if (sentAs === "cleared") return texts.cleared?.(entered, tool) ?? CLEARED;
  return sentAs === "truncated" ? (texts.truncated?.(entered, tool, left) ?? entered) : entered;
}
