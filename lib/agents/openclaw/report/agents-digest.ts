import type { Chars } from "@/lib/core/base/units";
import { sliceWhole, truncateWhole } from "../messages/utf16";

/** `AGENTS.md` if it is too long: its head, the lines that look like rules, and its tail. Source: openclaw@2026.9.6, helpers/bootstrap. */
const HEAD_SHARE = 0.45;
const TAIL_SHARE = 0.15;
const DIGEST_SHARE = 0.35;
const MAX_LINE_CHARS: Chars = 240;

const RULE_WORDS =
  /\b(?:AGENTS\.md|scoped|required|must|never|do not|before subtree|read scoped|owner|security|secret|credential|test|validation|command|commit|push|github|pr)\b|(?:🔴|禁止|嚴禁|不得|絕不|絕對不|切勿|必須|務必|一律|紅線)/iu;
const FIRM_WORDS =
  /\b(?:AGENTS\.md|scoped|required|must|never|do not|before subtree|read scoped|security|secret|credential)\b|(?:🔴|禁止|嚴禁|不得|絕不|絕對不|切勿)/iu;
const LIST_OR_HEADING = /^(?:#{1,6}|[-*+]|\d+[.)])\s+\S/u;
const FENCE = /^(?:`{3,}|~{3,})/u;

interface Rule {
  readonly text: string;
  readonly firm: boolean;
}

/** The line that names the file with the full text. */
export function readFullMarker(name: string): string {
  return `[...truncated, read ${name} for full content...]`;
}

/** The file cut to a limit. */
export function agentsDigest(content: string, maxChars: Chars): string {
  let head = Math.floor(maxChars * HEAD_SHARE);
  let tail = Math.floor(maxChars * TAIL_SHARE);
  let digestChars = Math.floor(maxChars * DIGEST_SHARE);
  const rules = digestChars > 0 ? rulesOf(content) : [];
  let text = rendered(content, rules, { head, tail, digestChars });
  while (text.length > maxChars && (tail > 0 || head > 1 || digestChars > 0)) {
    const over = text.length - maxChars;
    if (tail > 0) tail = Math.max(0, tail - over);
    else if (head > 1) head = Math.max(1, head - over);
    else digestChars = Math.max(0, digestChars - over);
    text = rendered(content, rules, { head, tail, digestChars });
  }
  return truncateWhole(text, maxChars);
}

/** Lines that look like rules, each with the line of prose before it. */
function rulesOf(content: string): readonly Rule[] {
  const rules: Rule[] = [];
  let prose: string | undefined;
  for (const source of content.split(/\r?\n/u)) {
    const line = normalized(source);
    if (line === "" || FENCE.test(line)) prose = undefined;
    else if (LIST_OR_HEADING.test(line) || RULE_WORDS.test(line)) {
      rules.push({ text: prose === undefined ? line : `${prose}\n${line}`, firm: FIRM_WORDS.test(line) });
      prose = undefined;
    } else prose = line;
  }
  return rules;
}

function normalized(line: string): string {
  const text = line.trim().replace(/\s+/gu, " ");
  return text.length <= MAX_LINE_CHARS ? text : `${truncateWhole(text, MAX_LINE_CHARS - 1)}…`;
}

interface Sizes {
  readonly head: Chars;
  readonly tail: Chars;
  readonly digestChars: Chars;
}

function rendered(content: string, rules: readonly Rule[], { head, tail, digestChars }: Sizes): string {
  const chosen = selected(rules, digestChars);
  const digest = chosen.map((rule) => rule.text).join("\n");
  const left = digestChars > 0 ? rules.length - chosen.length : 0;
  const parts = [
    sliceWhole(content, 0, head),
    readFullMarker("AGENTS.md"),
    digest === "" ? "" : "[Policy digest from AGENTS.md]",
    digest,
    left > 0 ? `[...${left} more policy lines omitted...]` : "",
    `…(truncated AGENTS.md: kept ${head}+policy ${digest.length}+${tail} chars of ${content.length})…`,
    tail > 0 ? sliceWhole(content, -tail) : "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** The rules that fit, firm ones first, returned in the file's order. */
function selected(rules: readonly Rule[], budget: Chars): readonly Rule[] {
  const chosen = new Set<Rule>();
  let used = 0;
  for (const rule of [...rules.filter(({ firm }) => firm), ...rules]) {
    const cost = rule.text.length + (chosen.size > 0 ? 1 : 0);
    if (chosen.has(rule) || used + cost > budget) continue;
    chosen.add(rule);
    used += cost;
  }
  return rules.filter((rule) => chosen.has(rule));
}
