/*
 * History of mini-claude-code: one message of the AI SDK a line, or a document with the list. Invented and shortened:
 *
 * {"role":"system","content":"You are mini-claude-code."}
 * {"role":"user","content":"Count the lines"}
 * {"role":"assistant","content":[{"type":"text","text":"Reading."},{"type":"tool-call","toolCallId":"c1","toolName":"bash","args":{"command":"wc a"}}]}
 * {"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"bash","result":"3 a"}]}
 * {"role":"assistant","content":[{"type":"reasoning","text":"…"},{"type":"tool-call","toolCallId":"c2","toolName":"bash","input":{"command":"ls"}}]}
 * {"role":"tool","content":[{"type":"tool-result","toolCallId":"c2","toolName":"bash","output":{"type":"text","value":"a"}}]}
 * {"role":"assistant","content":"Three lines."}
 * {"system":"You are mini-claude-code.","messages":[{"role":"user","content":"Go on"}]}
 */

import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Message } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { draftOf, type HistoryMessage, isMessage } from "./blocks";

/**
 * Reads histories of the AI SDK (`CoreMessage`), which mini-claude-code keeps only in memory: a message in each record, or a document with
 * `messages` and a `system` prompt. They hold no times, no usage and no compactions.
 */
export const miniClaudeCodeReader: Reader = {
  format: "mini-claude-code",
  sniff: sniffMiniClaudeCode,
  parse: (builder) => new MiniParser(builder),
  texts: (record) => {
    const { system, messages } = draftOf(record);
    return [...system, ...messages.flatMap(({ blocks }) => blocks.map(({ text }) => text))];
  },
  sessionMarks:
    () =>
    ({ value }) => ({ begins: Array.isArray(value.messages) }),
};

/** Names of the system prompt's parts. */
const SYSTEM_NAMES = ["system prompt", "runtime hints"] as const;

/** Histories have no usage, so no usage field is read. */
const NO_USAGE: KnownUsageFields = new Set();

class MiniParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #histories = 0;
  /** Index of the first message of the current history. */
  #historyStart = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { system, messages } = draftOf(record.value);
    const { role } = record.value;
    this.#builder.numbers(record.line).unknownUsage(record.value.usage, NO_USAGE);
    const isDocument = Array.isArray(record.value.messages) || system.length > 0;
    const type = isDocument ? "messages" : typeof role === "string" ? role : "(no role)";
    this.#builder.countRecord(type);
    if (messages.length === 0 && !isDocument) this.#builder.unknownRecord(type, record.line);
    if (Array.isArray(record.value.messages)) this.#history(record);
    system.forEach((text, part) => {
      const name = SYSTEM_NAMES[part] ?? "";
      this.#builder.systemPrompt(text, sourceOf(record, part), name);
    });
    let part = system.length;
    for (const message of messages) {
      this.#addMessage(message, record, part);
      part += message.blocks.length;
    }
  }

  /** A further history is a conversation of its own: it was sent without the messages of the previous one. */
  #history({ line }: SourceRecord): void {
    this.#histories += 1;
    if (this.#histories === 1) return;
    this.#historyStart = this.#builder.messageCount;
    this.#builder.furtherSession(line);
  }

  #addMessage(draft: HistoryMessage, record: SourceRecord, from: number): void {
    for (const name of draft.odd) this.#builder.problem("unexpected-field", record.line, name);
    if (draft.value.role === "system" && this.#builder.messageCount === this.#historyStart) {
      this.#addSystemPrompt(draft, record, from);
      return;
    }
    const blocks = this.#builder.blocks(draft.blocks, record, from);
    const facts = factsOf(draft);
    const message = this.#builder.message({ ...facts, line: record.line, blocks });
    if (facts.origin === "response") this.#builder.request({ message, line: record.line });
    if (facts.origin === "typed")
      this.#title = promptTitle(this.#title, draft.blocks.find(({ kind }) => kind === "text")?.text ?? "");
  }

  /** Adds system messages before all others: they are the system prompt, which no compaction drops. */
  #addSystemPrompt({ blocks }: HistoryMessage, record: SourceRecord, from: number): void {
    for (const [part, { text }] of blocks.entries()) this.#builder.systemPrompt(text, sourceOf(record, from + part));
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }
}

function sourceOf({ line, offset, length }: SourceRecord, part: number) {
  return { line, offset, length, part };
}

/** A user message with results comes from a tool; a system message comes from the program. */
function factsOf({ value, blocks }: HistoryMessage): Pick<Message, "role" | "origin"> {
  const holdsResults = blocks.some(({ kind }) => kind === "tool_result");
  switch (value.role) {
    case "assistant":
      return { role: "assistant", origin: "response" };
    case "system":
      return { role: "system", origin: "context" };
    default:
      return { role: "user", origin: value.role === "tool" || holdsResults ? "tool" : "typed" };
  }
}

/**
 * True if the first records are a history of the AI SDK: a message, or a list of messages in a document, holds a `tool-call` or a `tool-result` part.
 * Messages of text alone may be any chat's.
 */
function sniffMiniClaudeCode(head: readonly JsonObject[]): boolean {
  return head.some((record) => (Array.isArray(record.messages) ? record.messages : [record]).some(hasToolPart));
}

function hasToolPart(message: unknown): boolean {
  if (!isObject(message) || !isMessage(message) || !Array.isArray(message.content)) return false;
  return message.content.some(
    (part) =>
      isObject(part) &&
      (part.type === "tool-call" || part.type === "tool-result") &&
      typeof part.toolCallId === "string",
  );
}
