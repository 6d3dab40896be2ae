import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Four kinds of text, the same in every run, of which some are harder for tokenizers than others. */
export const TEXT_NAMES = ["English and code", "Chinese", "base64", "minified JS"] as const;
export type TextName = (typeof TEXT_NAMES)[number];

const TRANSCRIPTS = path.resolve("../shared/transcripts");
const DOCUMENTS = path.resolve("../shared/documents");

/** Makes a text of at most this many UTF-16 units. */
export function makeText(name: TextName, units: number): string {
  return MAKERS[name](units).slice(0, units);
}

const MAKERS: Readonly<Record<TextName, (units: number) => string>> = {
  "English and code": englishAndCode,
  Chinese: chinese,
  base64: (units) => Buffer.from(Array.from({ length: units }, randomFrom(7, 256))).toString("base64"),
  "minified JS": (units) => repeatTo(readFileSync("node_modules/recharts/umd/Recharts.js", "utf8"), units),
};

/** Texts of recordings if there are enough, else also the documentation of the packages that we use. */
function englishAndCode(units: number): string {
  const parts: string[] = [];
  let length = 0;
  for (const text of recordedTexts(units * 16)) {
    // Chinese and base64 are left out, because they are measured separately.
    if (text.length < 200 || /[^\0-\x7f]|\S{120}/.test(text)) continue;
    parts.push(text);
    length += text.length;
    if (length > units) break;
  }
  if (length < units) for (const file of readmes()) parts.push(readFileSync(file, "utf8"));
  return repeatTo(parts.join("\n"), units);
}

function readmes(): string[] {
  const files = readdirSync("node_modules").flatMap((name) => [`node_modules/${name}/README.md`]);
  return files.filter((file) => existsSync(file));
}

/** Sentences of the documents, with some characters changed so that few pieces repeat. */
function chinese(units: number): string {
  const source = existsSync(DOCUMENTS)
    ? readdirSync(DOCUMENTS).map((file) => readFileSync(path.join(DOCUMENTS, file), "utf8"))
    : ["上下文窗口记录了对话的全部内容，压缩之后只保留摘要和最近的消息。工具调用的结果往往占去最大的一部分。"];
  const characters = source.join("\n").replace(/[\0-\x7f]+/g, "\n");
  const sentences = characters.split(/(?<=[，。、：\n])/);
  const random = randomFrom(11, 2 ** 24);
  const parts: string[] = [];
  for (let length = 0; length < units; ) {
    const sentence = sentences[random() % sentences.length] ?? "";
    const changed = sentence.replace(/\p{Lo}/gu, (own) => (random() % 8 === 0 ? anyOf(characters, random()) : own));
    parts.push(changed);
    length += changed.length;
  }
  return parts.join("");
}

function anyOf(characters: string, random: number): string {
  return characters.charAt(random % characters.length);
}

function repeatTo(text: string, units: number): string {
  return text.repeat(Math.ceil(units / text.length));
}

function randomFrom(seed: number, below: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    return (state >>> 8) % below;
  };
}

/** Every distinct text in the recordings beside the project, up to about that many units; none if there are no recordings. */
export function recordedTexts(units = Number.POSITIVE_INFINITY): Set<string> {
  const texts = new Set<string>();
  if (!existsSync(TRANSCRIPTS)) return texts;
  let left = units;
  for (const file of readdirSync(TRANSCRIPTS, { recursive: true, encoding: "utf8" }).sort()) {
    if (!file.endsWith(".jsonl") || !file.includes(path.sep) || left < 0) continue;
    const content = readFileSync(path.join(TRANSCRIPTS, file), "utf8");
    left -= content.length;
    for (const line of content.split("\n")) addTexts(parsed(line), texts);
  }
  return texts;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // Recordings contain damaged lines, which hold no text to count.
  }
}

function addTexts(value: unknown, into: Set<string>): void {
  if (typeof value === "string") into.add(value);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) addTexts(inner, into);
}
