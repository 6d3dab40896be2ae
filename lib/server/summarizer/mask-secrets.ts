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
      ...{ id: rule.meta.id, rule },
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

/** A value as code has it, a name or a number. In a variable of the environment (`DB_PASSWORD=`) a word is a secret all the same. */
const CODE = /^(?:[A-Za-z_.]+|[\d.,_-]+|\*+)$/;
const VARIABLE = /^[A-Z_]+=/;

export const MASK = "[masked]";

/** Texts with their likely secrets replaced, and how many each rule found. No rule finds all of them. */
export async function maskSecrets(
  texts: readonly string[],
): Promise<{ readonly texts: readonly string[]; readonly masked: SummaryPreview["masked"] }> {
  const counts = new Map<string, number>();
  const masked: string[] = [];
  for (const text of texts) {
    const found = apart([...(await byForm(text)), ...byPlace(text)]);
    for (const { rule } of found) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    masked.push(replaced(text, found));
  }
  return { texts: masked, masked: [...counts].map(([rule, count]) => ({ rule, count })) };
}

async function byForm(content: string): Promise<readonly Finding[]> {
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

function replaced(text: string, found: readonly Finding[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { from, to } of found) {
    parts.push(text.slice(at, from), MASK);
    at = to;
  }
  return [...parts, text.slice(at)].join("");
}
