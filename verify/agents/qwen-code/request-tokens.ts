import type { Part } from "@/lib/agents/qwen-code/messages/content";
import { isObject, type JsonObject, jsonOf, objectOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { type ImageSize, imageSize } from "./image-size";

/** The counter of 0.12.0 for whole requests, which is not the `/context` rule. Source: README.md, "Whole requests". */

interface RequestTokens {
  readonly totalTokens: Tokens;
  readonly breakdown: {
    readonly textTokens: Tokens;
    readonly imageTokens: Tokens;
    readonly audioTokens: Tokens;
    readonly otherTokens: Tokens;
  };
}

/** Tokens of a request's contents, which may be absent, a string, one content or several. */
export function requestTokens(contents: unknown): RequestTokens {
  const found: Found = { texts: [], others: [], images: 0, audio: 0 };
  const list = Array.isArray(contents) ? contents : contents ? [contents] : [];
  for (const content of list) collectContent(content, found);
  const breakdown = {
    textTokens: requestTextTokens(found.texts.join("")),
    imageTokens: found.images,
    audioTokens: found.audio,
    otherTokens: requestTextTokens(found.others.join("")),
  };
  const { textTokens, imageTokens, audioTokens, otherTokens } = breakdown;
  return { totalTokens: textTokens + imageTokens + audioTokens + otherTokens, breakdown };
}

/** ceil(a / 4 + n × 1.1): here a unit above 127 weighs 1.1. The numbers are added as doubles, in the program's order. */
function requestTextTokens(text: string): Tokens {
  let others = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 128) others += 1;
  return Math.ceil((text.length - others) / 4 + others * 1.1);
}

interface Found {
  readonly texts: string[];
  /** JSON of parts that are neither text nor media. */
  readonly others: string[];
  images: Tokens;
  audio: Tokens;
}

function collectContent(content: unknown, found: Found): void {
  const parts = objectOf(content).parts;
  if (Array.isArray(parts)) for (const part of parts) collectPart(part, found);
  else collectPart(content, found);
}

function collectPart(part: unknown, found: Found): void {
  if (typeof part === "string") {
    if (part.trim() !== "") found.texts.push(part);
  } else if (isObject(part)) collectObject(part, found);
}

/** The first kind that fits counts; inline data of another type counts as the part's JSON. */
function collectObject(part: Part, found: Found): void {
  if (textOf(part.text) !== "") {
    found.texts.push(textOf(part.text));
    return;
  }
  const inline = objectOf(part.inlineData);
  const mime = textOf(inline.mimeType);
  if (mime.startsWith("image/")) found.images += imageTokens(imageSize(textOf(inline.data), mime));
  else if (mime.startsWith("audio/")) found.audio += audioTokens(inline);
  else {
    const json = jsonOf(part.fileData || part.functionCall || part.functionResponse || part);
    if (json !== "{}") found.others.push(json);
  }
}

function audioTokens(inline: JsonObject): Tokens {
  return Math.max(Math.ceil(Math.floor(textOf(inline.data).length * 0.75) / 100), 10);
}

const PATCH = 28;
const MAX_PIXELS = 16_384 * PATCH * PATCH;
const FEWEST_PIXELS = 4 * PATCH * PATCH;
/** A picture is enclosed by two marks. */
const MARKS = 2;

/** Patches of 28 pixels, once the picture is scaled to between 4 and 16,384 of them, and two marks. */
export function imageTokens({ width, height }: ImageSize): Tokens {
  let rows = Math.round(height / PATCH) * PATCH;
  let columns = Math.round(width / PATCH) * PATCH;
  if (rows * columns > MAX_PIXELS) {
    const shrink = Math.sqrt((height * width) / MAX_PIXELS);
    rows = Math.floor(height / shrink / PATCH) * PATCH;
    columns = Math.floor(width / shrink / PATCH) * PATCH;
  } else if (rows * columns < FEWEST_PIXELS) {
    const grow = Math.sqrt(FEWEST_PIXELS / (height * width));
    rows = Math.ceil((height * grow) / PATCH) * PATCH;
    columns = Math.ceil((width * grow) / PATCH) * PATCH;
  }
  return Math.floor((rows * columns) / (PATCH * PATCH)) + MARKS;
}
