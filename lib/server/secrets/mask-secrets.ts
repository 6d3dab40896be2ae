import { lintSource } from "@secretlint/core";
import { secretLintProfiler } from "@secretlint/profiler";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SummaryPreview } from "@/lib/queries/contract/schemas";
import type { Finding } from "./finding";
import { byFormat, FORMAT_RULES } from "./formats";
import { KEY_BLOCK, keyBlocks } from "./key-blocks";
import { byPlace, PLACE_RULES } from "./places";
import { isExample } from "./values";

// The profiler keeps a timing of every rule on every text and searches all of them for each new one: minutes after some thousand texts.
secretLintProfiler.mark = () => undefined;

/**
 * The rules of secretlint (MIT licence): keys and tokens of providers by their format, private keys, passwords in addresses. Its rules for ids of
 * Amazon's access keys and accounts, which identify an account without opening it (after git-secrets, Apache licence 2.0), must be enabled
 * separately. Its rule for comments is left out: a text could switch off the masking of its own secrets.
 */
const CONFIG = {
  rules: rules
    .filter(({ meta }) => !meta.id.endsWith("-filter-comments"))
    .map((rule) => ({
      id: rule.meta.id,
      rule,
      ...(rule.meta.id.endsWith("-rule-aws") && { options: { enableIDScanRule: true } }),
    })),
};

/** Names of our own rules, as `rule` of a mask. */
export const OWN_RULES: readonly string[] = [...FORMAT_RULES, ...PLACE_RULES, KEY_BLOCK];

export const MASK = "[masked]";

/** A text with its likely secrets replaced by `MASK`. */
export interface MaskedText {
  readonly text: string;
  /** The masks: their positions and rules. */
  readonly masks: readonly { readonly rule: string; readonly at: number }[];
}

/** A text with its likely secrets replaced. No rule finds all of them. */
export async function maskedText(text: string): Promise<MaskedText> {
  const found = merged([...(await bySecretlint(text)), ...byFormat(text), ...byPlace(text), ...keyBlocks(text)]);
  const parts: string[] = [];
  let taken = 0;
  let length = 0;
  const masks = found.map(({ rule, from, to }) => {
    parts.push(text.slice(taken, from), MASK);
    const at = length + from - taken;
    length = at + MASK.length;
    taken = to;
    return { rule, at };
  });
  return { text: [...parts, text.slice(taken)].join(""), masks };
}

/** Texts with their likely secrets replaced, and the number of matches per rule. */
export async function maskSecrets(
  texts: readonly string[],
): Promise<{ readonly texts: readonly string[]; readonly masked: SummaryPreview["masked"] }> {
  const masked: MaskedText[] = [];
  for (const text of texts) masked.push(await maskedText(text));
  return { texts: masked.map(({ text }) => text), masked: countedRules(masked) };
}

/** Number of masks per rule, in order of first match. */
export function countedRules(masked: readonly Pick<MaskedText, "masks">[]): SummaryPreview["masked"] {
  const counts = new Map<string, number>();
  for (const { rule } of masked.flatMap(({ masks }) => masks)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => ({ rule, count }));
}

async function bySecretlint(text: string): Promise<readonly Finding[]> {
  // The rules skip a byte order mark, and then count positions after it.
  const content = text.replace(/^\ufeff/, " ");
  const source = { content, filePath: "prompt.txt", ext: ".txt", contentType: "text" as const };
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  return messages
    .map(({ ruleId, range: [from, to] }) => ({ rule: ruleId.replace(/^.*-rule-/, ""), from, to }))
    .filter(({ from, to }) => !isExample(text.slice(from, to)));
}

/** Findings in order; overlapping ones are merged. */
function merged(found: readonly Finding[]): readonly Finding[] {
  const sorted = found.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const joined: Finding[] = [];
  for (const one of sorted) {
    const last = joined.at(-1);
    if (last === undefined || one.from >= last.to) joined.push(one);
    else joined[joined.length - 1] = { ...last, to: Math.max(last.to, one.to) };
  }
  return joined;
}
