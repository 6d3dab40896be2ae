import type { Chars } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import type { OpenClawPreset } from "../base/presets";
import { sliceWhole, truncateWhole } from "../messages/utf16";
import { filledText, type JsonObject, textOf } from "../messages/value";
import { agentsDigest, readFullMarker } from "./agents-digest";

/**
 * Files of the workspace as they are put into the system prompt. Source: README.md, "Bootstrap files"; openclaw@2026.2.1 and openclaw@2026.9.6,
 * helpers/bootstrap.
 */
interface InjectedFiles {
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly warnings: readonly string[];
}

interface BootstrapOptions {
  readonly maxChars?: number | undefined;
  /** 2026.9.6: the limit of all files together. */
  readonly totalMaxChars?: number | undefined;
}

export const BOOTSTRAP_MAX_CHARS: Chars = 20_000;
const BOOTSTRAP_TOTAL_CHARS: Chars = 60_000;
const USER_FILE_MAX_CHARS: Chars = 4_000;

/** The files as injected, from their names, paths and contents, with missing ones marked. */
export function bootstrapFiles(
  files: readonly JsonObject[],
  preset: OpenClawPreset,
  options: BootstrapOptions = {},
): InjectedFiles {
  return preset === "current" ? currentFiles(files, options) : documentedFiles(files, options);
}

function documentedFiles(files: readonly JsonObject[], options: BootstrapOptions): InjectedFiles {
  const maxChars = options.maxChars ?? BOOTSTRAP_MAX_CHARS;
  const injected: { path: string; content: string }[] = [];
  const warnings: string[] = [];
  for (const file of files) {
    const name = textOf(file.name) ?? "";
    if (file.missing) {
      injected.push({ path: name, content: missingText(writtenAs(file.path)) });
      continue;
    }
    const content = (textOf(file.content) ?? "").trimEnd();
    if (content.length > maxChars) warnings.push(truncationWarning(name, content.length, maxChars));
    const kept = content.length > maxChars ? documentedTruncation(content, name, maxChars) : content;
    if (kept !== "") injected.push({ path: name, content: kept });
  }
  return { files: injected, warnings };
}

function missingText(path: string): string {
  return `[MISSING] Expected at: ${path}`;
}

function truncationWarning(name: string, length: Chars, limit: Chars): string {
  return `workspace bootstrap file ${name} is ${length} chars (limit ${limit}); truncating in injected context`;
}

const HEAD_SHARE = 0.7;
const TAIL_SHARE = 0.2;

/** Head and tail around a note. A tail of length 0 is the whole text, since `slice(-0)` gives that. */
function documentedTruncation(content: string, name: string, maxChars: Chars): string {
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = Math.floor(maxChars * TAIL_SHARE);
  return [content.slice(0, head), longMarker(name, head, tail, content.length), content.slice(-tail)].join("\n");
}

function longMarker(name: string, head: Chars, tail: Chars, length: Chars): string {
  return `\n${readFullMarker(name)}\n…(truncated ${name}: kept ${head}+${tail} chars of ${length})…\n`;
}

/** Minimum room for a further file. */
const MIN_FILE_CHARS: Chars = 64;

function currentFiles(files: readonly JsonObject[], options: BootstrapOptions): InjectedFiles {
  const maxChars = options.maxChars ?? BOOTSTRAP_MAX_CHARS;
  const injected: { path: string; content: string }[] = [];
  const warnings: string[] = [];
  let room = Math.max(1, Math.floor(options.totalMaxChars ?? Math.max(maxChars, BOOTSTRAP_TOTAL_CHARS)));
  const inject = (path: string, content: string) => {
    room -= content.length;
    injected.push({ path, content });
  };
  for (const file of files) {
    const name = textOf(file.name) ?? "";
    const path = filledText(textOf(file.path)?.trim());
    if (room <= 0) break;
    if (path === undefined) {
      warnings.push(
        `skipping bootstrap file "${name}" — missing or invalid "path" field (hook may have used "filePath" instead)`,
      );
      continue;
    }
    if (file.missing) {
      inject(path, clamped(missingText(path), room));
      continue;
    }
    if (room < MIN_FILE_CHARS) {
      warnings.push(
        `remaining bootstrap budget is ${room} chars (<${MIN_FILE_CHARS}); skipping additional bootstrap files`,
      );
      break;
    }
    const limit = Math.max(1, Math.min(isUserFile(name) ? Math.min(maxChars, USER_FILE_MAX_CHARS) : maxChars, room));
    const content = (textOf(file.content) ?? "").trimEnd();
    if (file.personalUser && content.length > limit) {
      warnings.push("Personal USER.md exceeds the bootstrap budget; using shared defaults.");
      continue;
    }
    const kept = clamped(content.length > limit ? currentTruncation(content, name, limit) : content, room);
    if (kept === "") continue;
    if (content.length > limit) warnings.push(truncationWarning(name, content.length, limit));
    inject(path, kept);
  }
  return { files: injected, warnings };
}

function isUserFile(name: string): boolean {
  return name.toLowerCase() === "user.md";
}

function clamped(content: string, room: Chars): string {
  if (content.length <= room) return content;
  return room <= 3 ? truncateWhole(content, room) : `${truncateWhole(content, room - 1)}…`;
}

function currentTruncation(content: string, name: string, maxChars: Chars): string {
  return name.toLowerCase() === "agents.md" ? agentsDigest(content, maxChars) : headAndTail(content, name, maxChars);
}

const CURRENT_HEAD_SHARE = 0.75;
const CURRENT_TAIL_SHARE = 0.25;
/** Minimum room for the file's text with the long note. */
const MIN_CONTENT_CHARS: Chars = 16;
const ATTEMPTS = 3;

/** Head and tail of a file within a limit: the note's length depends on the numbers in it, and they depend on its length. */
function headAndTail(content: string, name: string, maxChars: Chars): string {
  const note = new TruncationNote(content, name, maxChars);
  let head = 0;
  let tail = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const room = Math.max(0, maxChars - note.cost(head, tail));
    const nextHead = Math.floor(room * CURRENT_HEAD_SHARE);
    const nextTail = Math.floor(room * CURRENT_TAIL_SHARE);
    if (nextHead === head && nextTail === tail) break;
    head = nextHead;
    tail = nextTail;
  }
  for (let over = note.length(head, tail) - maxChars; over > 0 && head + tail > 0; ) {
    if (tail > 0) tail = Math.max(0, tail - over);
    else head = Math.max(0, head - over);
    over = note.length(head, tail) - maxChars;
  }
  if (head === 0 && tail === 0 && note.length(1, 0) <= maxChars) head = 1;
  return truncateWhole(note.render(head, tail), maxChars);
}

/** The note between the kept parts: three lines, or a short mark if there is no room for them. */
class TruncationNote {
  readonly #content: string;
  readonly #name: string;
  readonly #isLong: boolean;

  constructor(content: string, name: string, maxChars: Chars) {
    this.#content = content;
    this.#name = name;
    this.#isLong = maxChars - longMarker(name, 0, 0, content.length).length - 2 >= MIN_CONTENT_CHARS;
  }

  #text(head: Chars, tail: Chars): string {
    const { length } = this.#content;
    return this.#isLong ? longMarker(this.#name, head, tail, length) : `[…truncated ${head}+${tail}/${length}]`;
  }

  /** Chars of the note and of the line ends around it. */
  cost(head: Chars, tail: Chars): Chars {
    const separators = this.#isLong ? Number(head > 0) + Number(tail > 0) : 0;
    return this.#text(head, tail).length + separators;
  }

  length(head: Chars, tail: Chars): Chars {
    return head + tail + this.cost(head, tail);
  }

  render(head: Chars, tail: Chars): string {
    const end = tail > 0 ? sliceWhole(this.#content, -tail) : "";
    const parts = [sliceWhole(this.#content, 0, head), this.#text(head, tail), end];
    return parts.filter((part) => part !== "").join(this.#isLong ? "\n" : "");
  }
}
