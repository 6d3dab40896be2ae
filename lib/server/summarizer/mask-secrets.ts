import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { SummaryPreview } from "@/lib/api/contract";

/** A stretch of a text that looks like a secret, and the rule that found it. */
interface Finding {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The rules of secretlint (MIT licence): keys and tokens of providers by their form, private keys, passwords in addresses. Those of Amazon's that stand for an
 * account without opening it, ids of access keys and numbers of accounts (after git-secrets, Apache licence 2.0), are asked for by themselves. By the rule for
 * comments a text could decide that its own secrets are passed over, so it is left out.
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

/**
 * Secrets without a form of their own, by what stands before them. Each has one group, which is the secret. Repetitions have limits, so that they take
 * time in proportion to the text.
 */
const BY_PLACE: Readonly<Record<string, RegExp>> = {
  assignment:
    /(?:password|passwd|passphrase|secret|token|api_?-?key|access_?-?key|private_?-?key|credentials?)\\?["']?[ \t]{0,4}(?:=|:|=>)[ \t]{0,4}\\?["']?([^\s"'\\,;<>(){}[\]$]{8,512})/gi,
  authorization: /\b(?:bearer|basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,4096})/gi,
  address: /\b[a-z][a-z0-9+.-]{1,16}:\/\/[^\s/:@"']{1,128}:([^\s/:@"']{1,256})@/gi,
  jsonWebToken: /\b(eyJ[A-Za-z0-9_-]{10,2048}\.eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{10,1024})/g,
};

/** What is found by its place, as `rule` of a mask calls it. */
export const PLACE_RULES: readonly string[] = Object.keys(BY_PLACE);

/** A value as code has it, a name or a number. In a variable of the environment (`DB_PASSWORD=`) a word is a secret all the same. */
const CODE = /^(?:[A-Za-z_.]+|[\d.,_-]+|\*+)$/;
const VARIABLE = /^[A-Z_]+=/;

export const MASK = "[masked]";

/** A text with its likely secrets replaced by `MASK`. */
export interface MaskedText {
  readonly text: string;
  /** The masks: where each begins, and the rule that found what was there. */
  readonly masks: readonly { readonly rule: string; readonly at: number }[];
}

/** A text with its likely secrets replaced. No rule finds all of them. */
export async function maskedText(text: string): Promise<MaskedText> {
  const found = apart([...(await byForm(text)), ...byPlace(text)]);
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

/** Texts with their likely secrets replaced, and how many each rule found. */
export async function maskSecrets(
  texts: readonly string[],
): Promise<{ readonly texts: readonly string[]; readonly masked: SummaryPreview["masked"] }> {
  const masked: MaskedText[] = [];
  for (const text of texts) masked.push(await maskedText(text));
  return { texts: masked.map(({ text }) => text), masked: countedRules(masked) };
}

/** How many masks each rule has, the rule that was met first at the beginning. */
export function countedRules(masked: readonly Pick<MaskedText, "masks">[]): SummaryPreview["masked"] {
  const counts = new Map<string, number>();
  for (const { rule } of masked.flatMap(({ masks }) => masks)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => ({ rule, count }));
}

async function byForm(text: string): Promise<readonly Finding[]> {
  // The rules pass over a byte order mark, and then count their places from behind it.
  const content = text.replace(/^\ufeff/, " ");
  const source = { content, filePath: "prompt.txt", ext: ".txt", contentType: "text" as const };
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  return messages.map(({ ruleId, range: [from, to] }) => ({ rule: ruleId.replace(/^.*-rule-/, ""), from, to }));
}

function byPlace(text: string): readonly Finding[] {
  return Object.entries(BY_PLACE).flatMap(([rule, regex]) =>
    [...text.matchAll(regex)].flatMap((match): readonly Finding[] => {
      const secret = match[1] ?? "";
      if (rule === "assignment" && CODE.test(secret) && !VARIABLE.test(match[0])) return [];
      const from = match.index + match[0].lastIndexOf(secret);
      return [{ rule, from, to: from + secret.length }];
    }),
  );
}

/** Findings in their order, those that overlap as one. */
function apart(found: readonly Finding[]): readonly Finding[] {
  const sorted = found.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const joined: Finding[] = [];
  for (const one of sorted) {
    const last = joined.at(-1);
    if (last === undefined || one.from >= last.to) joined.push(one);
    else joined[joined.length - 1] = { ...last, to: Math.max(last.to, one.to) };
  }
  return joined;
}
