import type { Content, Part } from "@/lib/agents/gemini-cli/messages/content";
import { partsTokens } from "@/lib/agents/gemini-cli/messages/tokens";
import { isMaskable, maskedPart, type OutputPath } from "@/lib/agents/gemini-cli/sent/masking";
import { isObject } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";

interface MaskingLimits {
  /** Budget of the newest tool output, which is never masked. */
  readonly protectedTokens: Tokens;
  /** Minimum maskable tokens before anything is masked. */
  readonly minimumTokens: Tokens;
  readonly protectLatestTurn: boolean;
}

export interface Masked {
  readonly history: readonly Content[];
  /** `[content, part]` of every masked part, in order. */
  readonly parts: readonly (readonly [number, number])[];
  readonly saved: Tokens;
}

/**
 * Replaces old tool outputs with previews. The newest output up to a limit is kept; as soon as the older output reaches a minimum, all of it is
 * masked. A part is replaced only if that saves tokens. Source: README.md, "Masking".
 */
export function maskToolOutputs(history: readonly Content[], limits: MaskingLimits, pathOf: OutputPath): Masked {
  const prunable = prunableParts(history, limits);
  const changed = history.map((content) => content);
  const parts: (readonly [number, number])[] = [];
  let saved = 0;
  for (const { at, part, tokens } of prunable) {
    const masked = maskedPart(part, pathOf);
    const saves = tokens - partsTokens([masked]);
    if (saves <= 0) continue;
    saved += saves;
    parts.push(at);
    const content = changed[at[0]] ?? {};
    // The part comes from this list.
    const list = [...(content.parts as readonly unknown[])];
    list[at[1]] = masked;
    changed[at[0]] = { ...content, parts: list };
  }
  return { history: changed, parts: parts.sort((a, b) => a[0] - b[0] || a[1] - b[1]), saved };
}

interface Prunable {
  readonly at: readonly [number, number];
  readonly part: Part;
  readonly tokens: Tokens;
}

function prunableParts(history: readonly Content[], limits: MaskingLimits): readonly Prunable[] {
  const found: Prunable[] = [];
  let cumulative = 0;
  let beyond = false;
  for (let index = history.length - (limits.protectLatestTurn ? 2 : 1); index >= 0; index--) {
    const list: readonly unknown[] = Array.isArray(history[index]?.parts) ? (history[index]?.parts as unknown[]) : [];
    for (let at = list.length - 1; at >= 0; at--) {
      const part = list[at];
      if (!isObject(part) || !isMaskable(part)) continue;
      const tokens = partsTokens([part]);
      if (!beyond) {
        cumulative += tokens;
        beyond = cumulative > limits.protectedTokens;
      }
      if (beyond) found.push({ at: [index, at], part, tokens });
    }
  }
  return found.reduce((sum, { tokens }) => sum + tokens, 0) < limits.minimumTokens ? [] : found;
}
