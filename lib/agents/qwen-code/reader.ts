import { block, type TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { blocksOf, contentsOf, type DraftBlock, type DraftContent } from "./blocks";
import { isConversationKind, isRecordType } from "./chain";
import { isObject, objectOf } from "./content";
import { Conversation } from "./conversation";
import { FactFinder, titleOf } from "./facts";
import { markOf } from "./marks";
import { isMessage, type Measured, type Node, type NodeContent } from "./nodes";
import { isUserSubtype, promptText, userOrigin } from "./origin";
import { compressionInfo, type Envelope, envelopeOf, usageOf } from "./schema";
import { sessionMark } from "./session-mark";
import { commandEcho, plainUserText } from "./session-replay";
import { sniffQwenCode } from "./sniff";
import { mainChain } from "./tree";

/**
 * Reads Qwen Code's sessions (`~/.qwen/projects/<project>/chats/<session>.jsonl`); README.md describes the format. The
 * trap: a compaction is recorded behind the message that it made room for.
 */
export const qwenCodeReader: Reader = {
  format: "qwen-code",
  sniff: sniffQwenCode,
  parse: (builder) => new QwenCodeParser(builder),
  texts: (record) => blocksOf(record).map((draft) => draft.text),
  sessionMarks: () => sessionMark,
};

/** Kinds of system record that are known; the others are counted by name. Source: systems/qwen-code.md §4; 0.24.4. */
const SYSTEM_SUBTYPES = new Set(
  `chat_compression slash_command ui_telemetry at_command attribution_snapshot background_task_completed custom_title
  parent_session rewind agent_bootstrap agent_launch_prompt agent_retry agent_session_ready file_history_snapshot
  session_source session_model omni_recall session_sources_snapshot branch_checkpoint goal_state goal_runtime
  goal_turn_end turn_result user_text_elements session_artifact_event session_artifact_snapshot
  managed_session_header_v1 managed_session_event_v1 managed_session_commit_v1`.split(/\s+/),
);

const NO_TYPE = "(no type)";
/** A longer text is not the echo of a command. */
const MOST_COMMAND_CHARS = 2000;

/** Keeps a light node a record and decides at the end, when the whole tree is known. */
class QwenCodeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new FactFinder();
  readonly #nodes: Node[] = [];
  readonly #subagents = new Set<string>();

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const envelope = envelopeOf(record.value);
    this.#count(envelope, record);
    this.#builder.time(envelope.at);
    this.#facts.add(envelope, record.line);
    if (envelope.sidechain && envelope.agentId !== undefined) this.#subagents.add(envelope.agentId);
    const { type, subtype } = envelope;
    if (type === undefined || !isConversationKind(type, subtype)) return;
    // A kind that is not known holds its place in the tree.
    if (!isRecordType(type) && envelope.uuid === undefined) return;
    this.#nodes.push({
      line: record.line,
      uuid: envelope.uuid,
      parent: envelope.parentUuid,
      sidechain: envelope.sidechain,
      at: envelope.at,
      content: isRecordType(type) ? this.#content(envelope, record) : { kind: "other" },
    });
  }

  end(): void {
    const messages = this.#nodes.filter(isMessage);
    const subagentFile = messages.length > 0 && messages.every((node) => node.sidechain);
    const own = this.#nodes.filter((node) => subagentFile || !node.sidechain);
    const chain = mainChain(own, (code, line) => this.#builder.problem(code, line));
    const conversation = new Conversation();
    conversation.read(chain);
    conversation.write(this.#builder);
    this.#builder.sidechains(subagentFile ? 0 : this.#subagents.size);
    this.#facts.write(this.#builder, conversation.title, subagentFile);
    const [agentId] = this.#subagents;
    if (subagentFile && agentId !== undefined) this.#builder.ownAgent(agentId);
  }

  #count({ type, subtype }: Envelope, record: SourceRecord): void {
    const name = type === undefined ? NO_TYPE : subtype === undefined ? type : `${type}/${subtype}`;
    this.#builder.countRecord(name);
    if (!isKnown(type, subtype)) this.#builder.unknownRecord(name, record.line);
  }

  #content(envelope: Envelope, record: SourceRecord): NodeContent {
    const contents = contentsOf(record.value);
    switch (envelope.type) {
      case "assistant":
        return this.#response(envelope, record, contents);
      case "system":
        return this.#system(envelope, record, contents);
      default:
        return this.#user(envelope, record, contents[0]);
    }
  }

  #user(envelope: Envelope, record: SourceRecord, content: DraftContent | undefined): NodeContent {
    if (content === undefined) {
      this.#builder.problem("unexpected-field", record.line, "message");
      return { kind: "other" };
    }
    const origin = userOrigin(envelope, content);
    if (origin === undefined) return { kind: "other" };
    const plain = plainUserText(envelope.subtype, objectOf(record.value.message));
    return {
      kind: "user",
      origin,
      ...this.#measured(content.blocks, record, 0),
      plainText: plain !== undefined && plain.length <= MOST_COMMAND_CHARS ? plain : undefined,
      title: origin === "typed" ? titleOf(promptText(envelope, content)) : undefined,
    };
  }

  #response(envelope: Envelope, record: SourceRecord, contents: readonly DraftContent[]): NodeContent {
    if (envelope.subtype === "realtime_message") return { kind: "other" };
    const blocks = contents[0]?.blocks ?? [];
    const usage = usageOf(record.value.usageMetadata);
    if (usage === undefined && isObject(record.value.usageMetadata)) {
      this.#builder.problem("unexpected-field", record.line, "usageMetadata");
    }
    if (usage !== undefined && usage.input + (usage.cacheRead ?? 0) === 0) {
      this.#builder.problem("pseudo-usage", record.line);
    }
    this.#facts.window(envelope.contextWindow);
    const continues = envelope.sidechain && usage === undefined && envelope.agentRound === undefined;
    return { kind: "response", ...this.#measured(blocks, record, 0), model: envelope.model, usage, continues };
  }

  #system(envelope: Envelope, record: SourceRecord, contents: readonly DraftContent[]): NodeContent {
    const { subtype, payload } = envelope;
    if (subtype === "slash_command") {
      const echo = commandEcho(payload);
      return { kind: "command", echo, title: titleOf(echo.rawCommand) };
    }
    if (subtype === "agent_bootstrap") return { kind: "inherited", messages: this.#messages(contents, record) };
    if (subtype !== "chat_compression") return { kind: "other" };
    if (!Array.isArray(payload.compressedHistory)) {
      this.#builder.problem("unexpected-field", record.line, "compressedHistory");
      return { kind: "other" };
    }
    return { kind: "compression", info: compressionInfo(payload), messages: this.#messages(contents, record) };
  }

  #messages(contents: readonly DraftContent[], record: SourceRecord) {
    let part = 0;
    return contents.map(({ role, blocks }) => {
      const measured = this.#measured(blocks, record, part);
      part += blocks.length;
      return { role, ...measured };
    });
  }

  #measured(drafts: readonly DraftBlock[], record: SourceRecord, firstPart: number): Measured {
    const { line, offset, length } = record;
    const blocks = drafts.map((draft, index) => {
      const text = draft.payload === true ? this.#builder.payload(draft.text) : this.#builder.text(draft.text);
      return block(draft.kind, text, { line, offset, length, part: firstPart + index }, draft);
    });
    return { blocks, marks: drafts.map(markOf) };
  }
}

function isKnown(type: string | undefined, subtype: string | undefined): boolean {
  if (!isRecordType(type)) return false;
  if (subtype === undefined) return true;
  if (type === "system") return SYSTEM_SUBTYPES.has(subtype);
  return isUserSubtype(subtype) && (type === "user" || subtype === "realtime_message");
}
