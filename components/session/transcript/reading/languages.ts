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
import { MOST_COLOURED } from "./limits";

/** The languages whose code is coloured; each also has the names and file endings that it declares itself. */
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

/** Code as a tree of coloured parts, and what is left of it without colour; `undefined` where nothing of it is coloured. */
export function coloured(
  text: string,
  language: string,
): { readonly parts: Coloured; readonly rest: string } | undefined {
  const name = language.toLowerCase();
  const end = colouredEnd(text);
  if (end === 0 || !lowlight.registered(name)) return undefined;
  const parts = lowlight.highlight(name, text.slice(0, end)).children;
  return countOf(parts) > MOST_COLOURED.parts ? undefined : { parts, rest: text.slice(end) };
}

/** Where the lines end that are coloured. */
export function colouredEnd(text: string): number {
  let end = 0;
  while (end < text.length) {
    const at = text.indexOf("\n", end);
    const next = at < 0 ? text.length : at + 1;
    if (next > MOST_COLOURED.chars || next - end > MOST_COLOURED.line) break;
    end = next;
  }
  return end;
}

function countOf(parts: Coloured): number {
  return parts.reduce((sum, part) => sum + 1 + (part.type === "element" ? countOf(part.children as Coloured) : 0), 0);
}
