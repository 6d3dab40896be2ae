import MarkdownIt, { type Token } from "markdown-it";
import { MOST_COLOURED } from "./limits";

/** How deep quotes, lists and emphasis may stand in each other; what is deeper is shown as it is written. */
const MOST_NESTED = 20;

// Raw HTML is text. Addresses that nobody marked as links stay text as well.
const markdown = new MarkdownIt("default", { html: false, linkify: false, maxNesting: MOST_NESTED });

/** A part of a Markdown text: an element with what it holds, or a text. */
export interface MarkdownNode {
  /** The name that the parser gives it, such as `paragraph`, `strong` or `fence`. */
  readonly type: string;
  /** The element that stands for it. */
  readonly tag: string;
  /** Its own text, where it holds no other nodes. */
  readonly text: string;
  /** Address of a link or an image; language of a code block. */
  readonly info: string;
  readonly children: readonly MarkdownNode[];
}

/** A text of more parts than this is no prose: it is shown as it is written. A picture or a link counts as three, since it says what it is. */
const MOST_NODES = 2000;
const WEIGHTS: Readonly<Record<string, number>> = { image: 3, link_open: 3 };

/** The parts of a Markdown text; `undefined` where it has too many to be drawn at once. */
export function markdownNodes(text: string): readonly MarkdownNode[] | undefined {
  const tokens = markdown.parse(text, {});
  if (weightOf(tokens) > MOST_NODES) return undefined;
  colourFirst(tokens);
  return nested(tokens);
}

function weightOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { type, children }) => sum + (WEIGHTS[type] ?? 1) + weightOf(children ?? []), 0);
}

/** Takes the language from blocks of code once those before have as much code as is coloured of one text. */
function colourFirst(tokens: readonly Token[]): void {
  let left = MOST_COLOURED.chars;
  for (const token of tokens) {
    if (token.type !== "fence") continue;
    left -= token.content.length;
    if (left < 0) token.info = "";
  }
}

/** The parser's flat list of beginnings and ends as a tree. */
function nested(tokens: readonly Token[]): readonly MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      if (open.length > 1) open.pop();
      continue;
    }
    // Tight lists: what they hold are paragraphs without a mark of their own.
    const children: MarkdownNode[] = token.type === "inline" ? [...nested(token.children ?? [])] : [];
    const into = open.at(-1) ?? root;
    if (token.type === "inline") into.push(...children);
    else into.push(nodeOf(token, children));
    if (token.nesting > 0) open.push(children);
  }
  return root;
}

function nodeOf(token: Token, children: readonly MarkdownNode[]): MarkdownNode {
  const info = token.type === "fence" ? (token.info.trim().split(/\s/)[0] ?? "") : address(token);
  // A paragraph of a tight list has no box of its own.
  const tag = token.hidden ? "" : token.tag;
  return { type: token.type.replace(/_open$/, ""), tag, text: token.content, info, children };
}

function address(token: Token): string {
  return String(token.attrGet("href") ?? token.attrGet("src") ?? "");
}
