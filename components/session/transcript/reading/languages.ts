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

/** The languages whose code is coloured; each also has the names and file endings that it declares itself. */
const LANGUAGES = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, php },
  ...{ python, ruby, rust, sql, swift, typescript, xml, yaml },
};

/** Longer code stays plain: colouring takes time with its length. */
const MOST_COLOURED_CHARS = 20_000;

const lowlight = createLowlight(LANGUAGES);

export type Coloured = ReturnType<typeof lowlight.highlight>["children"];

/** Code as a tree of coloured parts; `undefined` where its language is not known, or it is too long. */
export function coloured(text: string, language: string): Coloured | undefined {
  const name = language.toLowerCase();
  if (text.length > MOST_COLOURED_CHARS || !lowlight.registered(name)) return undefined;
  return lowlight.highlight(name, text).children;
}
