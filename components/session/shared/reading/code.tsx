import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { useMemo } from "react";
import { MAX_COLOURED } from "./limits";

/** Colours of code tokens, in the page's palette. */
const COLOURS: Readonly<Record<string, string>> = {
  "hljs-comment": "text-t3 italic",
  "hljs-quote": "text-t3 italic",
  "hljs-keyword": "text-[color-mix(in_srgb,var(--c-skills)_70%,var(--t1))]",
  "hljs-literal": "text-[color-mix(in_srgb,var(--c-skills)_70%,var(--t1))]",
  "hljs-built_in": "text-[color-mix(in_srgb,var(--c-skills)_70%,var(--t1))]",
  "hljs-type": "text-[color-mix(in_srgb,var(--policy-e)_70%,var(--t1))]",
  "hljs-string": "text-[color-mix(in_srgb,var(--c-builtin)_60%,var(--t1))]",
  "hljs-regexp": "text-[color-mix(in_srgb,var(--c-builtin)_60%,var(--t1))]",
  "hljs-number": "text-[color-mix(in_srgb,var(--c-mcp)_45%,var(--t1))]",
  "hljs-title": "text-[color-mix(in_srgb,var(--c-assistant)_65%,var(--t1))]",
  "hljs-attr": "text-[color-mix(in_srgb,var(--c-assistant)_65%,var(--t1))]",
  "hljs-name": "text-[color-mix(in_srgb,var(--c-assistant)_65%,var(--t1))]",
  "hljs-meta": "text-t2",
  "hljs-section": "font-semibold",
  "hljs-addition": "text-[color-mix(in_srgb,var(--c-builtin)_60%,var(--t1))]",
  "hljs-deletion": "text-danger",
};

interface CodeProps {
  readonly text: string;
  /** A name or a file ending. */
  readonly language: string;
}

/** Code, coloured if its language is known. */
export function Code({ text, language }: CodeProps) {
  return (
    <pre className="overflow-x-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-sm">
      <CodeText text={text} language={language} />
    </pre>
  );
}

/** Lines of a file next to their numbers. */
export function NumberedCode({ text, language, numbers }: CodeProps & { readonly numbers: readonly string[] }) {
  return (
    <div className="flex rounded-md border border-line bg-panel py-1 font-mono text-sm">
      <pre aria-hidden className="sticky left-0 border-r border-line bg-panel px-2 text-right text-t3 select-none">
        {numbers.join("\n")}
      </pre>
      <pre className="grow px-2 text-t1">
        <CodeText text={text} language={language} />
      </pre>
    </div>
  );
}

/** The text in coloured parts, or unchanged if its language is unknown. */
function CodeText({ text, language }: CodeProps) {
  const found = useMemo(() => coloured(text, language), [text, language]);
  if (found === undefined) return text;
  return (
    <>
      <Parts parts={found.parts} />
      {found.rest}
    </>
  );
}

function Parts({ parts }: { readonly parts: Coloured }) {
  return parts.map((part, index) => {
    if (part.type === "text") return part.value;
    if (part.type !== "element") return null;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of code have no identity beyond their place
      <span key={index} className={colourOf(part.properties.className) || undefined}>
        {/* The highlighter makes elements and texts only. */}
        <Parts parts={part.children as Coloured} />
      </span>
    );
  });
}

/** The languages whose code is coloured; each also has its own aliases and file extensions. */
const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

const lowlight = createLowlight(LANGUAGES);

export type Coloured = ReturnType<typeof lowlight.highlight>["children"];

/** Code as a tree of coloured parts, and the uncoloured rest; `undefined` if nothing is coloured. */
export function coloured(
  text: string,
  language: string,
): { readonly parts: Coloured; readonly rest: string } | undefined {
  const name = language.toLowerCase();
  const end = colouredEnd(text);
  if (end === 0 || !lowlight.registered(name)) return undefined;
  const parts = lowlight.highlight(name, text.slice(0, end)).children;
  return countOf(parts) > MAX_COLOURED.parts ? undefined : { parts, rest: text.slice(end) };
}

/** A part of a line of code with its colour; empty for the surrounding text's colour. */
export interface LinePart {
  readonly text: string;
  readonly colour: string;
}

/** Some lines of code as coloured parts, line by line; lines beyond the coloured text have one part. */
export function colouredLines(
  lines: readonly string[],
  language: string,
): readonly (readonly LinePart[])[] | undefined {
  const found = coloured(lines.join("\n"), language);
  if (found === undefined) return undefined;
  const parts: LinePart[][] = [[]];
  const add = (text: string, colour: string): void => {
    text.split("\n").forEach((piece, at) => {
      if (at > 0) parts.push([]);
      if (piece !== "") parts.at(-1)?.push({ text: piece, colour });
    });
  };
  const walk = (nodes: Coloured, colour: string): void => {
    for (const node of nodes) {
      if (node.type === "text") add(node.value, colour);
      // The highlighter makes elements and texts only.
      else if (node.type === "element") walk(node.children as Coloured, colourOf(node.properties.className) || colour);
    }
  };
  walk(found.parts, "");
  add(found.rest, "");
  return parts;
}

function colourOf(names: unknown): string {
  return Array.isArray(names)
    ? names
        .map((name) => COLOURS[String(name)] ?? "")
        .join(" ")
        .trim()
    : "";
}

/** End of the coloured lines. */
export function colouredEnd(text: string): number {
  let end = 0;
  while (end < text.length) {
    const at = text.indexOf("\n", end);
    const next = at < 0 ? text.length : at + 1;
    if (next > MAX_COLOURED.chars || next - end > MAX_COLOURED.line) break;
    end = next;
  }
  return end;
}

function countOf(parts: Coloured): number {
  return parts.reduce((sum, part) => sum + 1 + (part.type === "element" ? countOf(part.children as Coloured) : 0), 0);
}
