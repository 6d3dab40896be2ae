import { isoTime } from "@/lib/core/base/iso-time";
import type { LineNumber } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { possibleTime } from "@/lib/core/transcript/figures";
import type { Block, Boundary, Message, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { idOf, nameOf } from "../../ids";
import { draftOf } from "./blocks";
import { RecordedHistory } from "./recorded-history";
import { type Entry, entryOf } from "./schema";
import { SessionFacts } from "./session";
import { sniffClawdcode } from "./sniff";

/**
 * Reads ClawdCode's sessions (`~/.clawdcode/projects/<project>/<session>.jsonl`): rows of text, of calls and of results, in order. There are no
 * branches; where the program writes `parentUuid`, it is null.
 */
export const clawdcodeReader: Reader = {
  format: "clawdcode",
  sniff: sniffClawdcode,
  parse: (builder) => new ClawdcodeParser(builder),
  texts: (record) => draftOf(record).blocks.map((draft) => draft.text),
  sessionMarks:
    () =>
    ({ value }) => {
      const { sessionId, uuid } = entryOf(value);
      return { session: idOf(sessionId), id: idOf(uuid) };
    },
};

const KNOWN_TYPES = new Set(["user", "assistant", "system", "tool_use", "tool_result"]);
const NO_TYPE = "(no type)";

class ClawdcodeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new SessionFacts();
  readonly #history = new RecordedHistory();
  readonly #uuids = new Set<string>();
  /** The response to which the next call belongs; anything that is not a call ends it. */
  #response: { readonly message: Message; readonly blocks: Block[] } | undefined;
  /** The compaction whose summary comes next. */
  #boundary: Boundary | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const entry = entryOf(record.value, this.#builder.figures(record.line));
    const type = entry.type ?? NO_TYPE;
    const isBoundary = type === "system" && entry.subtype === "compact_boundary";
    this.#builder.countRecord(isBoundary ? `${type}/${entry.subtype}` : type);
    this.#builder.time(isoTime(entry.timestamp), record.line);
    this.#facts.add(entry, record.line);
    if (!KNOWN_TYPES.has(type)) this.#builder.unknownRecord(type, record.line);
    else if (this.#isCopy(entry)) this.#builder.problem("duplicate-record", record.line);
    else if (isBoundary) this.#openBoundary(entry, record.line);
    else this.#addRow(type, entry, record);
  }

  #isCopy(entry: Entry): boolean {
    const uuid = idOf(entry.uuid);
    if (uuid === undefined) return false;
    const known = this.#uuids.has(uuid);
    this.#uuids.add(uuid);
    return known;
  }

  #addRow(type: string, entry: Entry, record: SourceRecord): void {
    const draft = draftOf(record.value);
    for (const name of draft.odd) this.#builder.problem("unexpected-field", record.line, name);
    const blocks = this.#builder.blocks(draft.blocks, record);
    if (entry.isCompactSummary) this.#addSummary(entry, record, blocks);
    else if (type === "assistant" || type === "tool_use") this.#addResponse(type, entry, record, blocks);
    else if (blocks.length > 0) {
      const origin = type === "tool_result" ? "tool" : type === "system" ? "context" : "typed";
      if (origin === "typed") this.#facts.prompt(draft.blocks[0]?.text ?? "");
      this.#push({ role: type === "system" ? "system" : "user", origin, ...placeOf(entry, record), blocks });
    }
  }

  /** A call belongs to the text or the call before it; every text is a response of its own. */
  #addResponse(type: string, entry: Entry, record: SourceRecord, blocks: readonly Block[]): void {
    if (type === "tool_use" && this.#response !== undefined) {
      this.#response.blocks.push(...blocks);
      this.#builder.extendMessage(blocks);
      return;
    }
    const grown = [...blocks];
    const message = this.#push({ role: "assistant", origin: "response", ...placeOf(entry, record), blocks: grown });
    this.#response = { message, blocks: grown };
    const usage = usageOf(entry);
    const model = nameOf(entry.model);
    if (model !== undefined) this.#builder.model(model);
    if (entry.inputTokens === 0) this.#builder.problem("pseudo-usage", record.line);
    this.#builder.request({
      message: this.#builder.messageCount - 1,
      ...placeOf(entry, record),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
  }

  #openBoundary(entry: Entry, line: LineNumber): void {
    this.#closeBoundary();
    this.#response = undefined;
    this.#boundary = this.#boundaryOf(entry, line);
  }

  #boundaryOf(entry: Entry, line: LineNumber): Boundary {
    const { trigger, preTokens, postTokens, filesIncluded, parentUuid } = entry;
    const at = possibleTime(isoTime(entry.timestamp));
    return {
      kind: "compaction",
      line,
      ...(at === undefined ? {} : { at }),
      trigger: trigger === "auto" || trigger === "manual" ? trigger : "unknown",
      ...(preTokens === undefined ? {} : { tokensBefore: preTokens }),
      ...(postTokens === undefined ? {} : { tokensAfter: postTokens }),
      message: this.#builder.messageCount,
      kept: this.#history.kept(),
      clearedCalls: [],
      ...(filesIncluded === undefined ? {} : { filesIncluded }),
      ...(parentUuid === undefined ? {} : { parentUuid }),
    };
  }

  /** The second row of a compaction holds the summary and repeats the figures, so those that the first row lacks are taken from it. */
  #addSummary(entry: Entry, record: SourceRecord, blocks: readonly Block[]): void {
    this.#response = undefined;
    const own = this.#boundaryOf(entry, record.line);
    const { trigger } = this.#boundary ?? own;
    this.#boundary = {
      ...own,
      ...this.#boundary,
      trigger: trigger === "unknown" ? own.trigger : trigger,
      summaryLine: record.line,
    };
    this.#closeBoundary();
    this.#push({ role: "user", origin: "summary", recordedOnly: true, ...placeOf(entry, record), blocks });
  }

  #closeBoundary(): void {
    if (this.#boundary === undefined) return;
    this.#builder.boundary(this.#boundary);
    this.#history.compacted(this.#boundary.kept);
    this.#boundary = undefined;
  }

  #push(message: Message): Message {
    this.#closeBoundary();
    this.#response = undefined;
    this.#history.add(this.#builder.message(message), message);
    return message;
  }

  end(): void {
    // A boundary without a summary stays open: the file may grow.
    if (this.#boundary !== undefined) this.#builder.boundary(this.#boundary);
    this.#facts.write(this.#builder);
  }
}

function placeOf(entry: Entry, { line }: SourceRecord) {
  const at = possibleTime(isoTime(entry.timestamp));
  return { line, ...(at === undefined ? {} : { at }) };
}

/** Usage as recorded: the input is everything sent, and its cached part is not recorded. Zeros mean that nothing is recorded. */
function usageOf(entry: Entry): Usage | undefined {
  const { inputTokens, outputTokens } = entry;
  if (inputTokens === undefined || inputTokens === 0) return undefined;
  return { input: inputTokens, ...(outputTokens === undefined ? {} : { output: outputTokens }) };
}
