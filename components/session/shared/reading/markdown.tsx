import MarkdownIt, { type Token } from "markdown-it";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { Code } from "./code";
import { MAX_COLOURED } from "./limits";
import { PlainText } from "./plain-text";

/** A text with its Markdown rendered. HTML stays text, nothing is loaded, and no link can be followed by accident. */
export function Markdown({ text }: { readonly text: string }) {
  const nodes = useMemo(() => markdownNodes(text), [text]);
  if (nodes === undefined) return <PlainText text={text} />;
  return (
    <div className="flex max-w-[80ch] flex-col gap-2 break-words">
      <Nodes nodes={nodes} />
    </div>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly MarkdownNode[] }) {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity beyond their place
    <Node key={index} node={node} />
  ));
}

/** Node types that map to one element with a style. */
const BOXES: Readonly<
  Record<
    string,
    readonly [
      tag: "p" | "ul" | "ol" | "li" | "blockquote" | "strong" | "em" | "s" | "tr" | "thead" | "tbody" | "th" | "td",
      className?: string,
    ]
  >
> = {
  paragraph: ["p", "whitespace-pre-wrap"],
  // The page has its own headings: headings of a text are only bold.
  heading: ["p", "mt-1 font-semibold"],
  bullet_list: ["ul", "flex list-disc flex-col gap-0.5 pl-5"],
  ordered_list: ["ol", "flex list-decimal flex-col gap-0.5 pl-6"],
  list_item: ["li"],
  blockquote: ["blockquote", "flex flex-col gap-2 border-l-2 border-line2 pl-3 text-t2"],
  strong: ["strong", "font-semibold"],
  em: ["em"],
  s: ["s"],
  thead: ["thead"],
  tbody: ["tbody"],
  tr: ["tr"],
  th: ["th", "border border-line px-2 py-0.5 text-left font-semibold"],
  td: ["td", "border border-line px-2 py-0.5"],
};

function Node({ node }: { readonly node: MarkdownNode }): ReactNode {
  const box = Object.hasOwn(BOXES, node.type) ? BOXES[node.type] : undefined;
  if (box !== undefined) {
    const [Tag, className] = box;
    const inner = <Nodes nodes={node.children} />;
    return node.tag === "" ? inner : <Tag className={className}>{inner}</Tag>;
  }
  switch (node.type) {
    case "link":
      return (
        <ShownLink address={node.info}>
          <Nodes nodes={node.children} />
        </ShownLink>
      );
    case "image":
      return <ShownImage address={node.info} text={node.text} />;
    case "code_inline":
      return <code className="rounded-sm bg-sunk px-1 font-mono text-[0.92em] whitespace-pre-wrap">{node.text}</code>;
    case "fence":
    case "code_block":
      return <Code text={node.text.replace(/\n$/, "")} language={node.info} />;
    case "hr":
      return <hr className="border-line" />;
    case "table":
      return (
        <div className="overflow-x-auto">
          <table className="border-collapse text-sm">
            <Nodes nodes={node.children} />
          </table>
        </div>
      );
    case "softbreak":
    case "hardbreak":
      return "\n";
    default:
      return node.text;
  }
}

/** A link is text until it is pressed: then it shows its address, and may be followed. */
export function ShownLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const t = useTranslations("session.reading");
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="inline text-left underline decoration-dotted underline-offset-2"
      >
        {children}
      </button>
      {open && (
        <span className="text-sm text-t2">
          {" ("}
          {/^https?:\/\//i.test(address) ? (
            <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="break-all underline">
              {t("follow", { address })}
            </a>
          ) : (
            <span className="break-all">{address}</span>
          )}
          {")"}
        </span>
      )}
    </>
  );
}

/** A remote image is never loaded: only its name and its address are shown. */
function ShownImage({ address, text }: { readonly address: string; readonly text: string }) {
  const t = useTranslations("session.reading");
  return (
    <span className="text-t2">
      {t("image", { text })} <span className="text-sm break-all">{address.slice(0, 200)}</span>
    </span>
  );
}

/** Maximum nesting of quotes, lists and emphasis; deeper text is shown as written. */
const MAX_NESTED = 20;

// Raw HTML is text. Addresses outside links stay text as well.
const markdown = new MarkdownIt("default", { html: false, linkify: false, maxNesting: MAX_NESTED });

/** A node of a Markdown text: an element with children, or a text. */
interface MarkdownNode {
  /** The parser's name for it, such as `paragraph`, `strong` or `fence`. */
  readonly type: string;
  /** The HTML element for it. */
  readonly tag: string;
  /** Its own text, if it has no children. */
  readonly text: string;
  /** Address of a link or an image; language of a code block. */
  readonly info: string;
  readonly children: readonly MarkdownNode[];
}

/** Maximum number of nodes: larger texts are shown as written. An image or a link counts as three, since it shows its address. */
const MAX_NODES = 2000;
const WEIGHTS: Readonly<Record<string, number>> = { image: 3, link_open: 3 };

/** The nodes of a Markdown text; `undefined` if there are too many to render at once. */
function markdownNodes(text: string): readonly MarkdownNode[] | undefined {
  const tokens = markdown.parse(text, {});
  if (weightOf(tokens) > MAX_NODES) return undefined;
  colourFirst(tokens);
  return nested(tokens);
}

function weightOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { type, children }) => sum + (WEIGHTS[type] ?? 1) + weightOf(children ?? []), 0);
}

/** Removes the language from code blocks once the blocks before contain as much code as is coloured in one text. */
function colourFirst(tokens: readonly Token[]): void {
  let left = MAX_COLOURED.chars;
  for (const token of tokens) {
    if (token.type !== "fence") continue;
    left -= token.content.length;
    if (left < 0) token.info = "";
  }
}

/** The parser's flat list of opening and closing tokens as a tree. */
function nested(tokens: readonly Token[]): readonly MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      if (open.length > 1) open.pop();
      continue;
    }
    // Tight lists: their content is paragraphs without their own element.
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
  // A paragraph of a tight list has no element of its own.
  const tag = token.hidden ? "" : token.tag;
  return { type: token.type.replace(/_open$/, ""), tag, text: token.content, info, children };
}

function address(token: Token): string {
  return String(token.attrGet("href") ?? token.attrGet("src") ?? "");
}
