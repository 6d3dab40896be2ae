import { memo, useMemo } from "react";
import { cn } from "@/components/ui/cn";
import { type AnsiSpan, ansiSpans, stripAnsi } from "../items/ansi";
import { useGradually } from "./limits";

/** The eight terminal colours in the page's palette, readable in both themes. */
const COLOURS = [
  "text-t3",
  "text-danger",
  "text-[color-mix(in_srgb,var(--c-builtin)_75%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--c-mcp)_60%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--c-assistant)_70%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--c-skills)_75%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--policy-e)_75%,var(--t1))]",
  "text-t1",
] as const;

/** A part with more style changes than this is shown without styles: it would render too many elements. */
const MAX_SPANS = 1500;

/** A text with terminal colours as spans; nothing becomes markup. */
function AnsiText({ text }: { readonly text: string }) {
  const all = useMemo(() => textParts(text), [text]);
  const drawn = useGradually(all.length);
  if (all.length <= 1) return <Spans text={text} />;
  return all.slice(0, drawn).map((part, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity beyond their place
      key={index}
      className="block [contain-intrinsic-size:auto_4000px] [content-visibility:auto]"
    >
      <Spans text={part} />
    </span>
  ));
}

const Spans = memo(function Spans({ text }: { readonly text: string }) {
  const spans = ansiSpans(text);
  if (spans.length > MAX_SPANS) return stripAnsi(text);
  return spans.map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity beyond their place
    <Span key={index} span={span} />
  ));
});

function Span({ span }: { readonly span: AnsiSpan }) {
  const classes = cn(
    span.colour !== undefined && COLOURS[span.colour],
    span.bold === true && "font-semibold",
    span.dim === true && "opacity-70",
  );
  return classes === "" ? span.text : <span className={classes}>{span.text}</span>;
}

/** A command typed into a terminal. */
export function Command({ command, folder }: { readonly command: string; readonly folder: string | undefined }) {
  return (
    <pre className="font-mono text-sm break-words whitespace-pre-wrap text-t1">
      <span className="text-t3 select-none">{folder === undefined ? "$ " : `${folder} $ `}</span>
      {stripAnsi(command)}
    </pre>
  );
}

/** A terminal's output, below the tool's facts about it. */
export function Output({ head, text }: { readonly head: string; readonly text: string }) {
  return (
    <pre className="font-mono text-sm break-words whitespace-pre-wrap text-t1">
      {head !== "" && <span className="block text-sm text-t3">{head}</span>}
      <AnsiText text={text} />
    </pre>
  );
}

/** Size of a text that is rendered in one frame and laid out together. Off-screen parts of a longer text wait until they scroll into view. */
export const PART_CHARS = 20_000;

/** The text in parts that end at line breaks if its lines allow it. */
export function textParts(text: string): readonly string[] {
  if (text.length <= PART_CHARS) return [text];
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    // Searches within the part only: a text may be one endless line, which every part would search from its beginning.
    const part = text.slice(from, from + PART_CHARS + 1);
    const line = part.lastIndexOf("\n");
    // A part is a block, so the line break at its end would be a second one.
    found.push(part.slice(0, line > 0 ? line : PART_CHARS));
    from += line > 0 ? line + 1 : PART_CHARS;
  }
  return found;
}
