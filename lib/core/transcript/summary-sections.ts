/** A part of a structured summary. */
interface SummarySection {
  /** Tag or heading as written; absent for text before the first one. */
  readonly title: string | undefined;
  readonly text: string;
}

/** A tag that opens a section, at the start of a line. */
const OPENING = /^[ \t]*<([A-Za-z][\w-]*)>/gm;
/** A tag that closes a section, anywhere. */
const CLOSING = /<\/([A-Za-z][\w-]*)>/g;
/** A Markdown heading, including any closing hashes. */
const HEADING = /^#{1,6}[ \t]+(.+)$/gm;

/** A numbered title on a line of its own, ended by a colon, as in recorded summaries of Claude Code. */
const NUMBERED = /^(\d{1,2})\.[ \t]+([^\n:]{1,80}):[ \t]*$/gm;
/** One word on a line of its own, ended by a colon (`Analysis:`). */
const WORD = /^(\p{Lu}\p{L}{1,30}):[ \t]*$/gmu;
/** Fewer numbered titles than this are a list whose lines happen to end in colons. */
const MIN_NUMBERED = 3;

/**
 * Sections of a summary, in order: divided by tags (mini-claude-code's four, those of a state snapshot), else by Markdown headings, else by titles
 * numbered from 1. A tag around everything is unwrapped, and so is one around nothing but tags (a state snapshot after a scratchpad). A summary
 * without structure is one section.
 */
export function summarySections(summary: string): readonly SummarySection[] {
  const text = summary.trim();
  const tagged = taggedSections(text);
  if (tagged.length > 0) return tagged.flatMap((section) => unwrapped(section, tagged.length === 1));
  const headings = headingsOf(text);
  return cutAt(text, headings.length > 0 ? headings : numberedTitles(text));
}

/** A title in a text: its start, and the start of its section's text. */
interface Title {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  /** A word that may only announce the titles after it. */
  readonly announces?: true;
}

/** Sections enclosed by tags; empty if no tag at the start of a line is closed. */
function taggedSections(text: string): readonly SummarySection[] {
  const sections: SummarySection[] = [];
  const closings = closingsOf(text);
  let from = 0;
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const [opening, title = ""] = match;
    const start = match.index + opening.length;
    const end = firstFrom(closings.get(title) ?? [], start);
    if (end === undefined) continue;
    sections.push(...untitled(text.slice(from, match.index)), { title, text: dedented(text.slice(start, end)) });
    from = end + title.length + 3;
    OPENING.lastIndex = from;
  }
  return sections.length === 0 ? [] : [...sections, ...untitled(text.slice(from))];
}

/** Text of a tag without blank lines at its ends, dedented. */
function dedented(text: string): string {
  const lines = text
    .trimEnd()
    .replace(/^(?:[ \t]*\r?\n)+/, "")
    .split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(Math.min(shared, line.length))).join("\n");
}

/** Inner sections of a tag around other tags; otherwise the section itself. */
function unwrapped(section: SummarySection, isAll: boolean): readonly SummarySection[] {
  const inner = section.title === undefined ? [] : taggedSections(section.text);
  const isWrapper = inner.length > 0 && (isAll || inner.every(({ title }) => title !== undefined));
  return isWrapper ? inner : [section];
}

/** Positions at which each tag is closed, in order. */
function closingsOf(text: string): ReadonlyMap<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const { 1: title = "", index } of text.matchAll(CLOSING)) {
    const known = positions.get(title);
    if (known === undefined) positions.set(title, [index]);
    else known.push(index);
  }
  return positions;
}

/** First of the ascending positions from `start` on. Earlier positions are removed, since the search only moves forward. */
function firstFrom(positions: number[], start: number): number | undefined {
  const behind = positions.findIndex((at) => at >= start);
  positions.splice(0, behind === -1 ? positions.length : behind);
  return positions[0];
}

function headingsOf(text: string): readonly Title[] {
  return Array.from(text.matchAll(HEADING), (match) => titleAt(match, withoutClosing(match[1] ?? "")));
}

function titleAt(match: RegExpExecArray, title: string): Title {
  return { title, from: match.index, to: match.index + match[0].length };
}

/** Longest run of titles numbered from 1, and the single-word titles before it; empty if the run is short. */
function numberedTitles(text: string): readonly Title[] {
  let longest: RegExpExecArray[] = [];
  let run: RegExpExecArray[] = [];
  for (const match of text.matchAll(NUMBERED)) {
    const number = Number(match[1]);
    if (number !== run.length + 1) run = [];
    if (number === run.length + 1) run.push(match);
    if (run.length > longest.length) longest = [...run];
  }
  const [first] = longest;
  if (first === undefined || longest.length < MIN_NUMBERED) return [];
  const words = Array.from(text.slice(0, first.index).matchAll(WORD), (match) => ({
    ...titleAt(match, match[1] ?? ""),
    announces: true as const,
  }));
  return [...words, ...longest.map((match) => titleAt(match, `${match[1]}. ${match[2]}`))];
}

/** Sections after each title, and the text before the first. A word that only announces the next title makes no section. */
function cutAt(text: string, titles: readonly Title[]): readonly SummarySection[] {
  const sections = titles.flatMap(({ title, to, announces }, index) => {
    const section = { title, text: text.slice(to, titles[index + 1]?.from).trim() };
    return announces && section.text === "" ? [] : [section];
  });
  return [...untitled(text.slice(0, titles[0]?.from)), ...sections];
}

/** Heading without trailing blanks and hashes. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (end > 1 && " \t#".includes(title[end - 1] ?? "")) end -= 1;
  return title.slice(0, end);
}

function untitled(text: string): readonly SummarySection[] {
  return text.trim() === "" ? [] : [{ title: undefined, text: text.trim() }];
}
