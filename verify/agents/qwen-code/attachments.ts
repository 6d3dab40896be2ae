import {
  CHARS_PER_TOKEN,
  EMBEDDED_FILE,
  LISTED_FILES,
  RESTORED_FILE_TOKENS,
  RESTORED_PICTURES,
  RESTORED_TOKENS,
  USER_PICTURE,
} from "@/lib/agents/qwen-code/base/constants";
import { BRIDGE, fenceLength, filePathOf } from "@/lib/agents/qwen-code/messages/attachments";
import {
  answerOf,
  type Content,
  callOf,
  isInlineImage,
  nestedParts,
  type Part,
  partsOf,
  responseOf,
} from "@/lib/agents/qwen-code/messages/content";
import { jsonOf, textOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";

/** Content that `current` restores after a summary: state, files, pictures. Source: README.md, "Restored files and pictures". */

/** The files at the time of the compaction. */
export interface FileSource {
  /** The file's bytes; `undefined` if there is no such file. */
  readonly read: (path: string) => Uint8Array | undefined;
  readonly insideWorkspace: (path: string) => boolean;
}

/** A subagent that works in the background. */
export interface RunningSubagent {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly startTime: number;
}

/** Distinct paths that file tools were called with, newest first; failed calls do not count. */
export function recentFilePaths(history: readonly Content[], most: number): readonly string[] {
  const responses = history
    .flatMap(partsOf)
    .map(responseOf)
    .filter((response) => response !== undefined);
  const failed = new Set(responses.filter((response) => "error" in answerOf(response)).map((response) => response.id));
  const bridged = new Set(
    responses
      .filter((response) => response.name === BRIDGE && "output" in answerOf(response) && !failed.has(response.id))
      .map((response) => response.id),
  );
  const paths = new Set<string>();
  for (const call of calledLastToFirst(history)) {
    if (paths.size >= most) break;
    const { id, name } = call;
    if (id !== undefined && id !== "" && failed.has(id)) continue;
    if (name === BRIDGE && !(textOf(id) !== "" && bridged.has(id))) continue;
    const path = filePathOf(call);
    if (path !== "") paths.add(path);
  }
  return [...paths];
}

function* calledLastToFirst(history: readonly Content[]): Generator<Readonly<Record<string, unknown>>> {
  for (const content of history.toReversed()) {
    if (content.role !== "model") continue;
    for (const part of partsOf(content).toReversed()) {
      const call = callOf(part);
      if (call !== undefined) yield call;
    }
  }
}

/** The parts that represent files: one list of the oversized ones, then the others whole while there is room. */
export function fileParts(paths: readonly string[], files: FileSource): readonly Part[] {
  const listed: string[] = [];
  const embedded: Part[] = [];
  let used: Chars = 0;
  for (const path of paths) {
    const content = readable(files.read(path));
    if (content === "skip") continue;
    const text = content === "too large" ? undefined : content.text;
    if (text === undefined || used + text.length > RESTORED_TOKENS * CHARS_PER_TOKEN) listed.push(path);
    else {
      embedded.push(embeddedFile(path, text));
      used += text.length;
    }
  }
  return listed.length === 0 ? embedded : [listedFiles(listed), ...embedded];
}

const SAMPLE_BYTES = 512;

const BINARY_SHARE = 0.3;

const FILE_CHARS: Chars = RESTORED_FILE_TOKENS * CHARS_PER_TOKEN;

function readable(bytes: Uint8Array | undefined): "skip" | "too large" | { readonly text: string } {
  if (bytes === undefined) return "skip";
  if (bytes.length > FILE_CHARS * 4) return "too large";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const unprintable = sample.filter((byte) => !isPrintable(byte)).length;
  if (sample.length > 0 && unprintable / sample.length > BINARY_SHARE) return "skip";
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text.length > FILE_CHARS ? "too large" : { text };
}

/** True if a byte is a tab, a line feed, a carriage return, printable ASCII, or part of a longer character. */
function isPrintable(byte: number): boolean {
  return (byte >= 32 && byte !== 127) || byte === 9 || byte === 10 || byte === 13;
}

function listedFiles(paths: readonly string[]): Part {
  return { text: [LISTED_FILES, "", ...paths.map((path) => `- ${onOneLine(path)}`)].join("\n") };
}

function embeddedFile(path: string, content: string): Part {
  const fence = "`".repeat(fenceLength(content));
  const head = `${EMBEDDED_FILE}\n\n## ${onOneLine(path)}\n\n`;
  return { text: `${head}${fence}\n${content}\n${fence}` };
}

function onOneLine(path: string): string {
  return path.replace(/[\r\n\t]/g, "");
}

interface RecentImage {
  readonly part: Part;
  readonly source: string;
}

/** The newest pictures, oldest first, after a text that names the source of each. */
export function imageParts(history: readonly Content[], most: number): readonly Part[] {
  const images: RecentImage[] = [];
  for (let index = history.length - 1; index >= 0 && images.length < most; index--) {
    const source = imageSource(history, index);
    for (const part of imagesOf(history[index] ?? {}).toReversed()) {
      if (images.length < most) images.unshift({ part, source });
    }
  }
  if (images.length === 0) return [];
  return [
    { text: [RESTORED_PICTURES, "", ...images.map(({ source }) => source)].join("\n") },
    ...images.map(({ part }) => part),
  ];
}

function imagesOf(content: Content): readonly Part[] {
  return partsOf(content).flatMap((part) => (isInlineImage(part) ? [part] : nestedParts(part).filter(isInlineImage)));
}

/** The picture's source: the first call in the model content directly before it. */
function imageSource(history: readonly Content[], index: number): string {
  const before = history[index - 1];
  const calls = before?.role === "model" ? partsOf(before).map(callOf) : [];
  const call = calls.find((candidate) => candidate !== undefined);
  const name = textOf(call?.name);
  if (name === "") return `- turn ${index}: ${USER_PICTURE}`;
  return `- turn ${index}: ${name} args=${jsonOf(call?.args ?? {})}`;
}

/** Number of pictures in tool results: from twenty on, the agent compacts whatever the size. */
export function resultImages(history: readonly Content[]): number {
  return history.flatMap(partsOf).flatMap(nestedParts).filter(isInlineImage).length;
}

const PLAN_MODE = `<plan-mode-active>
You are currently in PLAN mode. You may research, read files, and propose plans, but you may not execute modification tools (write_file, edit, run_shell_command, etc.) until the user exits plan mode. The summary above may not reflect this constraint — honor plan mode regardless.
</plan-mode-active>`;

/** Reminders of the state that a summary does not hold: plan mode, and subagents at work. */
export function stateParts(planMode: boolean, subagents: readonly RunningSubagent[]): readonly Part[] {
  return [
    ...(planMode ? [{ text: PLAN_MODE }] : []),
    ...(subagents.length === 0 ? [] : [{ text: subagentList(subagents) }]),
  ];
}

const MAX_SUBAGENTS = 30;

const MAX_DESCRIPTION_CHARS: Chars = 200;

function subagentList(subagents: readonly RunningSubagent[]): string {
  const sorted = subagents.toSorted((a, b) => a.startTime - b.startTime);
  const hidden = Math.max(0, sorted.length - MAX_SUBAGENTS);
  const lines = sorted.slice(hidden).map(({ id, status, description }) => {
    const flat = description.replace(/[\r\n\t]+/g, " ");
    const short = flat.length > MAX_DESCRIPTION_CHARS ? `${flat.slice(0, MAX_DESCRIPTION_CHARS)}…` : flat;
    return `- [${escaped(status)}] ${escaped(id)}: ${escaped(short)}`;
  });
  if (hidden > 0) lines.push(`- (… and ${hidden} older task${hidden === 1 ? "" : "s"} not shown)`);
  const head =
    "The following background subagent tasks were active at compaction. The summary above does not include their per-task state. Use `task_stop` / `send_message` to interact; do not assume they completed.";
  return `<background-tasks>\n${head}\n${lines.join("\n")}\n</background-tasks>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}
