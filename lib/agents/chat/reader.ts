import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { type KnownUsageFields, possibleTime } from "@/lib/core/transcript/figures";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { nameOf } from "../ids";
import { textOf, timeOf } from "../json";
import { titleOf } from "../title";
import { type ChatMessage, draftsOf } from "./blocks";
import { sniffChat } from "./sniff";

/**
 * Reads plain chat: a `{ role, content }` message on each line, a list of them, or a record with `messages`. It holds neither usage nor
 * compactions; every answer of the assistant is a request point.
 */
export const chatReader: Reader = {
  format: "chat",
  sniff: sniffChat,
  parse: (builder) => new ChatParser(builder),
  texts: (record) => draftsOf(record).flatMap(({ blocks }) => blocks.map(({ text }) => text)),
  sessionMarks:
    () =>
    ({ value }) => ({ begins: Array.isArray(value.messages) }),
};

/** Plain chat has no usage, so a figure in one is not read. */
const NO_USAGE: KnownUsageFields = new Set();

class ChatParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #begun = false;
  #lists = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const drafts = draftsOf(record.value);
    const type = Array.isArray(record.value.messages) ? "messages" : textOf(record.value.role) || "(no role)";
    this.#builder.countRecord(type);
    if (drafts.length === 0) this.#builder.unknownRecord(type, record.line);
    this.#builder.time(timeOf(record.value.timestamp), record.line);
    this.#builder.figures(record.line).unknownUsage(record.value.usage, NO_USAGE);
    if (type === "messages") this.#list(record);
    let part = 0;
    for (const draft of drafts) {
      this.#add(draft, record, part);
      part += draft.blocks.length;
    }
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  /** A further list is a conversation of its own: nothing from the one before was sent with it. */
  #list({ line }: SourceRecord): void {
    this.#lists += 1;
    if (this.#lists === 1) return;
    this.#builder.problem("several-sessions", line);
    const message = this.#builder.messageCount;
    this.#builder.boundary({ kind: "rollback", line, trigger: "unknown", message, kept: [], clearedCalls: [] });
  }

  #add(draft: ChatMessage, record: SourceRecord, from: number): void {
    const blocks = this.#builder.blocks(draft.blocks, record, from);
    // System messages before anyone else speaks are the prompt that every request carries.
    if (draft.role === "system" && !this.#begun) {
      for (const { text, source } of blocks)
        this.#builder.overhead({ category: "systemPrompt", name: draft.name, text, source });
      return;
    }
    this.#begun = true;
    const at = possibleTime(timeOf(record.value.timestamp));
    const when = { line: record.line, ...(at === undefined ? {} : { at }) };
    const message = this.#builder.message({ role: draft.role, origin: draft.origin, ...when, blocks });
    if (draft.origin === "typed") this.#title ??= titleOf(draft.blocks[0]?.text ?? "");
    if (draft.origin !== "response") return;
    const model = nameOf(record.value.model);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ message, ...when, ...(model === undefined ? {} : { model }) });
  }
}
