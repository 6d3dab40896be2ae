/*
 * Session of Mistral Vibe, `messages.jsonl`: one message a line, without times. Invented and shortened:
 *
 * {"role":"user","content":"Fix the test.","injected":false,"message_id":"5b1c…"}
 * {"role":"assistant","content":"Reading it.","injected":false,"reasoning_content":"…","tool_calls":[{"id":"c1","index":0,"function":{"name":"read_file","arguments":"{\"path\":\"a.py\"}"},"type":"function"}],"message_id":"77ab…"}
 * {"role":"tool","content":"path: a.py\n…","injected":false,"name":"read_file","tool_call_id":"c1"}
 * {"role":"assistant","content":"Done.","injected":false,"message_id":"91fe…"}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import {
  argumentsOf,
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  parsedOr,
  textOf,
  textOrJson,
} from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";

/** Reads Mistral Vibe's sessions. README.md describes the format. */
const vibeReader: Reader = {
  format: "mistral-vibe",
  sniff: (head) => head.some(isVibeMessage),
  companion: { of: "messages.jsonl", name: "meta.json" },
  parse: (builder, metadata) => new VibeParser(builder, objectOf(parsedOr(metadata ?? ""))),
  texts: (record) => draftOf(record)?.blocks.map(({ text }) => text) ?? [],
};

const ROLES = new Set(["user", "assistant", "tool", "system"]);

/** True for a message that only this program writes. Results have no `message_id`, so they prove nothing. */
function isVibeMessage(record: JsonObject): boolean {
  return ROLES.has(textOf(record.role)) && typeof record.message_id === "string" && !("type" in record);
}

/** Messages state no usage: `meta.json` next to them has the session's sums. */
const NO_USAGE: KnownUsageFields = new Set();

class VibeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #metadata: JsonObject;
  #title: string | undefined;
  #beginsWithSummary = false;

  /** @param metadata the session's `meta.json`; empty if there is none */
  constructor(builder: TranscriptBuilder, metadata: JsonObject) {
    this.#builder = builder;
    this.#metadata = metadata;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const role = textOf(value.role) || "(no role)";
    this.#builder.countRecord(role);
    this.#builder.numbers(line).unknownUsage(value.usage, NO_USAGE);
    const draft = draftOf(value);
    if (draft === undefined) this.#builder.unknownRecord(role, line);
    else this.#message(draft, record);
  }

  end(): void {
    const { session_id, parent_session_id, git_branch, environment, title, title_source } = this.#metadata;
    this.#builder.facts({
      sessionId: idOf(session_id),
      project: nameOf(objectOf(environment).working_directory),
      branch: nameOf(git_branch),
      title: title_source === "manual" ? (nameOf(title) ?? this.#title) : this.#title,
    });
    const before = idOf(parent_session_id);
    if (before !== undefined) this.#builder.parent(before, this.#beginsWithSummary ? "resume" : "fork");
  }

  #message({ role, origin, blocks: drafts }: DraftMessage, record: SourceRecord): void {
    const { line } = record;
    // A compaction begins a new session with its summary: what it dropped is in the session before it.
    if (origin === "summary") this.#builder.boundary({ kind: "compaction", line, summaryLine: line });
    if (origin === "summary" && this.#builder.messageCount === 0) this.#beginsWithSummary = true;
    const isFollowing = origin === "summary" && this.#builder.messageCount > 0;
    const blocks = this.#builder.blocks(drafts, record);
    const message = this.#builder.message({ ...{ role, origin, line, blocks }, recordedOnly: isFollowing });
    if (origin === "typed") this.#title = promptTitle(this.#title, drafts[0]?.text ?? "");
    if (origin === "response") this.#builder.request({ message, line });
  }
}

/** Content of a message that the model read; `undefined` for a role that the program does not write. */
function draftOf(record: JsonObject): DraftMessage | undefined {
  const text = contentOf(record.content);
  switch (record.role) {
    case "user":
      return { role: "user", origin: userOrigin(record, text), blocks: withImages(record, [textBlock(text)]) };
    case "assistant":
      return { role: "assistant", origin: "response", blocks: responseBlocks(record, text) };
    case "tool":
      return { role: "user", origin: "tool", blocks: withImages(record, [resultBlock(record, text)]) };
    case "system":
      return { role: "system", origin: "context", blocks: [textBlock(text)] };
    default:
      return undefined;
  }
}

/** Beginning of the summary by releases before 2.18. */
const OLD_SUMMARY = "Another language model started to solve this problem and produced a summary";
const SUMMARY = "<compaction_summary>";

function userOrigin({ injected }: JsonObject, text: string): "typed" | "context" | "summary" {
  if (injected !== true) return "typed";
  return text.includes(SUMMARY) || text.startsWith(OLD_SUMMARY) ? "summary" : "context";
}

function responseBlocks(record: JsonObject, text: string): readonly DraftBlock[] {
  const reasoning = contentOf(record.reasoning_content);
  const blocks: DraftBlock[] = reasoning === "" ? [] : [{ kind: "thinking", text: reasoning }];
  const calls = objectsOf(record.tool_calls).map(callBlock);
  if (text !== "" || (calls.length === 0 && blocks.length === 0)) blocks.push(textBlock(text));
  return [...blocks, ...calls];
}

/** Arguments are JSON in a text; other programs' copies of a session hold the object itself. */
function callBlock({ id, function: called }: JsonObject): DraftBlock {
  const { name, arguments: given } = objectOf(called);
  const args = isObject(given) ? given : argumentsOf(textOf(given));
  return {
    ...{ kind: "tool_call", text: textOrJson(given) },
    ...{ callId: idOf(id), tool: nameOf(name), file: nameOf(args.path) ?? nameOf(args.file_path) },
  };
}

function resultBlock({ tool_call_id, name }: JsonObject, text: string): DraftBlock {
  const isError = text.startsWith("<tool_error>");
  return { kind: "tool_result", text, callId: idOf(tool_call_id), tool: nameOf(name), isError };
}

/** The images of a message: a reference to a file, or base64. */
function withImages({ images }: JsonObject, blocks: readonly DraftBlock[]): readonly DraftBlock[] {
  const pictures = objectsOf(images).map(
    (image): DraftBlock => ({ kind: "image", text: textOrJson(image), payload: true }),
  );
  return [...blocks, ...pictures];
}

/** The text of a content, or the texts of its list of parts. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return textOrJson(content);
  return content
    .map((part) => (isObject(part) && typeof part.text === "string" ? part.text : textOrJson(part)))
    .join("\n");
}

function textBlock(text: string): DraftBlock {
  return { kind: "text", text };
}

export const server: ServerProfile = {
  reader: vibeReader,
};
