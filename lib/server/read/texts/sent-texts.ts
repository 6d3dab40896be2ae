import { serverProfileOf } from "@/lib/agents/registry";
import type { SentTexts } from "@/lib/agents/shared/server-profile";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { BlockKind } from "@/lib/core/transcript/model";

/** The state of an item in a context: as it entered, shortened, or replaced by a placeholder. */
export interface Standing {
  readonly standing: "whole" | "truncated" | "cleared";
  /** Share of its size on entry that is left; 1 where it is whole. */
  readonly left: number;
}

/** How a policy's agent shortens texts. @param settings in force: without `entryTruncation` outputs enter as they are */
export async function sentTextsOf(policy: string, preset: string, settings: Settings): Promise<SentTexts> {
  const rule = await serverProfileOf(policy)?.sentTexts?.();
  if (rule === undefined) return {};
  const { entered, ...texts } = rule(preset, settings);
  return settings.entryTruncation === true && entered !== undefined ? { ...texts, entered } : texts;
}

/** Replaces a result whose content was cleared, where the agent's own words are not known. */
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
