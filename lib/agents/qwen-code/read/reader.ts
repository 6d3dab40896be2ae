/**
 * Qwen Code writes one JSON object a line; records form a tree by `parentUuid`. Shortened example, without sessionId, timestamp, cwd and version:
 *
 *     {"uuid":"q1","parentUuid":null,"type":"user","message":{"role":"user","parts":[{"text":"Read the cart."}]}}
 *     {"uuid":"q2","parentUuid":"q1","type":"assistant","model":"m","contextWindowSize":131072,
 *       "message":{"role":"model","parts":[{"functionCall":{"id":"c1","name":"read_file","args":{"file_path":"cart.ts"}}}]},
 *       "usageMetadata":{"promptTokenCount":900,"candidatesTokenCount":20,"totalTokenCount":920}}
 *     {"uuid":"q3","parentUuid":"q2","type":"tool_result","toolCallResult":{"status":"success"},
 *       "message":{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"…"}}}]}}
 *     {"uuid":"q4","parentUuid":"q3","type":"system","subtype":"chat_compression","systemPayload":{
 *       "info":{"originalTokenCount":920,"newTokenCount":300},"compressedHistory":[{"role":"user","parts":[{"text":"…"}]}]}}
 *     {"uuid":"q5","parentUuid":"q4","type":"system","subtype":"custom_title","systemPayload":{"customTitle":"Cart"}}
 */
import { idOf } from "@/lib/agents/shared/ids";
import { isObject, objectOf } from "@/lib/agents/shared/json";
import { subjectTitle, titleOf } from "@/lib/agents/shared/title";
import { detached } from "@/lib/core/base/texts";
import type { LineNumber, Tokens } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { processOf } from "@/lib/core/transcript/held-terms";
import type { Origin, ParentKind, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser, SessionMark } from "@/lib/core/transcript/reader";
import { blocksOf, contentsOf, type DraftContent, type PartBlock } from "./blocks";
import { isConversationKind, isRecordType } from "./chain";
import { Conversation } from "./conversation";
import { markOf } from "./marks";
import { type CompressionContent, type InheritedContent, type Measured, type NodeContent, Nodes } from "./nodes";
import { isUserSubtype, promptText, userOrigin } from "./origin";
import { compressionInfo, type Envelope, envelopeOf, stringOf, usageOf } from "./schema";
import { commandEcho, plainUserText } from "./session-replay";
import { sniffQwenCode } from "./sniff";
import { mainChain } from "./tree";

/** Collects a file's facts about its session. */
class FactFinder {
  readonly #sessions = new Map<string, { records: number; readonly line: LineNumber }>();
  readonly #parents = new Map<string, ParentKind>();
  #customTitle: string | undefined;
  #version: string | undefined;
  #project: string | undefined;
  #branch: string | undefined;
  #window: Tokens | undefined;

  /** Adds the fields of the next record. */
  add(envelope: Envelope, line: LineNumber): void {
    const { sessionId, payload } = envelope;
    const known = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    if (known !== undefined) known.records += 1;
    else if (sessionId !== undefined) this.#sessions.set(sessionId, { records: 1, line });
    if (envelope.forkedFrom !== undefined) this.#parents.set(envelope.forkedFrom, "fork");
    const parent = envelope.subtype === "parent_session" ? idOf(payload.parentSessionId) : undefined;
    if (parent !== undefined) this.#parents.set(parent, "resume");
    this.#version = envelope.version ?? this.#version;
    this.#project ??= envelope.cwd;
    this.#branch ??= envelope.gitBranch;
    if (envelope.subtype === "custom_title") {
      this.#customTitle = titleOf(stringOf(payload.customTitle)) ?? this.#customTitle;
    }
  }

  /** Sets the recorded window of a response. */
  window(tokens: Tokens | undefined): void {
    if (tokens !== undefined && tokens > 0) this.#window = tokens;
  }

  /**
   * Writes the facts. Session, folder and branch come from the first record, version and window from the last: a resumed session may continue with
   * another program and model.
   */
  write(builder: TranscriptBuilder, prompt: string | undefined, subagent: boolean): void {
    const [first, ...others] = [...this.#sessions];
    for (const [id, { line, records }] of others) builder.problem("several-sessions", line, id, records);
    for (const [session, kind] of this.#parents) if (session !== first?.[0]) builder.parent(session, kind);
    if (subagent && first !== undefined) builder.parent(first[0], "subagent");
    builder.facts({
      sessionId: first?.[0],
      title: subjectTitle([this.#customTitle, prompt]),
      agentVersion: this.#version,
      project: this.#project,
      branch: this.#branch,
      recordedWindow: this.#window,
    });
  }
}

/**
 * Reads Qwen Code's sessions (`~/.qwen/projects/<project>/chats/<session>.jsonl`); README.md describes the format. The trap: a compaction is
 * recorded after the message that it made room for.
 */
export const qwenCodeReader: Reader = {
  format: "qwen-code",
  sniff: sniffQwenCode,
  parse: (builder) => new QwenCodeParser(builder),
  texts: (record) => blocksOf(record).map((draft) => draft.text),
  sessionMarks: () => sessionMark,
};

/** Known kinds of system record; others are counted by name. Source: README.md, "Records". */
const SYSTEM_SUBTYPES = new Set(
  `chat_compression slash_command ui_telemetry at_command attribution_snapshot background_task_completed custom_title
  parent_session rewind agent_bootstrap agent_launch_prompt agent_retry agent_session_ready file_history_snapshot
  session_source session_model omni_recall session_sources_snapshot branch_checkpoint goal_state goal_runtime
  goal_turn_end turn_result user_text_elements session_artifact_event session_artifact_snapshot
  managed_session_header_v1 managed_session_event_v1 managed_session_commit_v1`.split(/\s+/),
);

const NO_TYPE = "(no type)";
/** A longer text is not the echo of a command. */
const MAX_COMMAND_CHARS = 2000;

/** Keeps a light node for each record and decides at the end, when the whole tree is known. */
class QwenCodeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new FactFinder();
  readonly #nodes: Nodes;
  readonly #subagents = new Set<string>();

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#nodes = new Nodes(builder);
  }

  record(record: SourceRecord): void {
    const envelope = envelopeOf(record.value);
    this.#count(envelope, record);
    const at = this.#builder.time(envelope.at, record.line);
    this.#facts.add(envelope, record.line);
    if (envelope.sidechain && envelope.agentId !== undefined) this.#subagents.add(envelope.agentId);
    const { type, subtype } = envelope;
    if (type === undefined || !isConversationKind(type, subtype)) return;
    // A record of an unknown type keeps its place in the tree.
    if (!isRecordType(type) && envelope.uuid === undefined) return;
    const { content, blocks, marks, usage } = isRecordType(type) ? this.#content(envelope, record) : OTHER;
    this.#nodes.entries.push({
      line: record.line,
      id: envelope.uuid,
      parent: envelope.parentUuid,
      at,
      facts: content,
      key: keyOf(content),
      usage,
      blocks,
    });
    const { forkedFrom, sessionId, sidechain } = envelope;
    this.#nodes.note(sidechain, forkedFrom !== undefined && forkedFrom !== sessionId, marks);
  }

  end(): void {
    const subagentFile = isSubagentFile(this.#nodes);
    const all = Int32Array.from({ length: this.#nodes.entries.length }, (_, node) => node);
    const own = subagentFile ? all : all.filter((node) => this.#nodes.isSidechain.at(node) === 0);
    const chain = mainChain(this.#nodes, own, (code, line) => this.#builder.problem(code, line));
    const conversation = new Conversation(this.#builder, this.#nodes);
    conversation.write(chain);
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

  #content(envelope: Envelope, record: SourceRecord): NewNode {
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

  #user(envelope: Envelope, record: SourceRecord, content: DraftContent | undefined): NewNode {
    if (content === undefined) {
      this.#builder.problem("unexpected-field", record.line, "message");
      return OTHER;
    }
    const origin = userOrigin(envelope, content);
    if (origin === undefined) return OTHER;
    const user = origin === "typed" ? typedContent(envelope, record, content) : plainContent(origin);
    return { content: user, ...this.#measured(content.blocks, record, 0) };
  }

  #response(envelope: Envelope, record: SourceRecord, contents: readonly DraftContent[]): NewNode {
    if (envelope.subtype === "realtime_message") return OTHER;
    const blocks = contents[0]?.blocks ?? [];
    const numbers = this.#builder.numbers(record.line);
    const usage = usageOf(record.value.usageMetadata, numbers);
    if (usage === undefined && isObject(record.value.usageMetadata)) {
      this.#builder.problem("unexpected-field", record.line, "usageMetadata");
    }
    if (usage !== undefined && usage.input + (usage.cacheRead ?? 0) === 0) {
      this.#builder.problem("pseudo-usage", record.line);
    }
    this.#facts.window(numbers.tokens(record.value.contextWindowSize, "contextWindowSize"));
    const continues = envelope.sidechain && usage === undefined && envelope.agentRound === undefined;
    const process = processOf(envelope.version, envelope.cwd, envelope.sessionId);
    const terms = process === undefined ? undefined : { process };
    const content = { kind: "response", model: envelope.model, terms, continues } as const;
    return { content, usage, ...this.#measured(blocks, record, 0) };
  }

  #system(envelope: Envelope, record: SourceRecord, contents: readonly DraftContent[]): NewNode {
    const { subtype, payload } = envelope;
    if (subtype === "slash_command") {
      const echo = commandEcho(payload);
      return { content: { kind: "command", echo, title: titleOf(echo.rawCommand) }, blocks: [], marks: [] };
    }
    if (subtype === "agent_bootstrap") return this.#snapshot({ kind: "inherited" }, contents, record);
    if (subtype !== "chat_compression") return OTHER;
    if (!Array.isArray(payload.compressedHistory)) {
      this.#builder.problem("unexpected-field", record.line, "compressedHistory");
      return OTHER;
    }
    return this.#snapshot(
      { kind: "compression", info: compressionInfo(payload, this.#builder.numbers(record.line)) },
      contents,
      record,
    );
  }

  #snapshot(
    facts: Omit<CompressionContent, "messages"> | Omit<InheritedContent, "messages">,
    contents: readonly DraftContent[],
    record: SourceRecord,
  ): NewNode {
    const messages = contents.map(({ role, blocks }) => ({ role, blocks: blocks.length }));
    const drafts = contents.flatMap(({ blocks }) => blocks);
    return { content: { ...facts, messages }, ...this.#measured(drafts, record, 0) };
  }

  #measured(drafts: readonly PartBlock[], record: SourceRecord, firstPart: number): Measured {
    return { blocks: this.#builder.blocks(drafts, record, firstPart), marks: drafts.map(markOf) };
  }
}

interface NewNode extends Measured {
  readonly content: NodeContent;
  readonly usage?: Usage | undefined;
}

const OTHER: NewNode = { content: { kind: "other" }, blocks: [], marks: [] };

function typedContent(envelope: Envelope, record: SourceRecord, content: DraftContent): NodeContent {
  const plain = plainUserText(envelope.subtype, objectOf(record.value.message));
  const title = titleOf(promptText(envelope, content));
  return {
    kind: "user",
    origin: "typed",
    plainText: plain !== undefined && plain.length <= MAX_COMMAND_CHARS ? plain : undefined,
    title: title === undefined ? undefined : detached(title),
  };
}

function plainContent(origin: Exclude<Origin, "typed">): NodeContent {
  return { kind: "user", origin, plainText: undefined, title: undefined };
}

/** A key that equal contents share; `undefined` for contents that are unique. */
function keyOf(content: NodeContent): string | undefined {
  if (content.kind === "other") return "other";
  if (content.kind === "user") return content.origin === "typed" ? undefined : content.origin;
  if (content.kind !== "response") return undefined;
  return `${content.continues ? "continued" : "response"} ${content.model ?? ""} ${content.terms?.process ?? ""}`;
}

/** True if every record that is a message belongs to a subagent. */
function isSubagentFile(nodes: Nodes): boolean {
  let messages = 0;
  for (let node = 0; node < nodes.entries.length; node++) {
    if (!nodes.isMessage(node)) continue;
    if (nodes.isSidechain.at(node) === 0) return false;
    messages += 1;
  }
  return messages > 0;
}

function isKnown(type: string | undefined, subtype: string | undefined): boolean {
  if (!isRecordType(type)) return false;
  if (subtype === undefined) return true;
  if (type === "system") return SYSTEM_SUBTYPES.has(subtype);
  return isUserSubtype(subtype) && (type === "user" || subtype === "realtime_message");
}

/** The session of a record. A branch begins with copies of the records that it was made from and continues them, so it is one session. */
function sessionMark({ value }: SourceRecord): SessionMark {
  const { sessionId, uuid, parentUuid } = envelopeOf(value);
  return { session: sessionId, id: uuid, follows: [parentUuid ?? undefined] };
}
