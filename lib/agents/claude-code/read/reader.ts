/*
 * Session file of Claude Code: one JSON record a line, linked by `uuid` and `parentUuid`. Invented and shortened:
 *
 * {"type":"summary","summary":"Fix the parser","leafUuid":"r2"}
 * {"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","isSidechain":false,"cwd":"/src","version":"2.1.25","timestamp":"2026-02-01T10:00:00.000Z","message":{"role":"user","content":"Fix it"}}
 * {"type":"assistant","uuid":"r1","parentUuid":"u1","requestId":"q1","message":{"id":"m1","role":"assistant","model":"claude-opus-4-5","content":[{"type":"thinking","thinking":"…"}],"usage":{"input_tokens":3,"cache_read_input_tokens":0,"cache_creation_input_tokens":15000,"output_tokens":2}}}
 * {"type":"assistant","uuid":"r2","parentUuid":"r1","requestId":"q1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/src/a.ts"}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":40}}}
 * {"type":"user","uuid":"u2","parentUuid":"r2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1→let a"}]},"toolUseResult":{"type":"text"}}
 * {"type":"attachment","uuid":"a1","parentUuid":"u2","attachment":{"type":"todo_reminder","content":[]}}
 * {"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","compactMetadata":{"trigger":"auto","preTokens":167120}}
 * {"type":"user","uuid":"u3","parentUuid":"b1","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued …"}}
 * {"type":"user","uuid":"u4","parentUuid":"u1","isSidechain":true,"agentId":"a7","message":{"role":"user","content":"Find callers"}}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isoTime } from "@/lib/core/base/iso-time";
import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import { type JsonObject, objectField, textField } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Draft } from "@/lib/core/transcript/draft";
import { processOf } from "@/lib/core/transcript/held-terms";
import type { Block } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { usesFirstOutputCount } from "../base/presets";
import { draftOf } from "./blocks";
import { isCaptured, sessionRecord } from "./captured";
import { CapturedRuns, type Unlisted } from "./captured-runs";
import { writeExtraRequests } from "./extra-requests";
import { FactFinder } from "./facts";
import { SubagentCalls, subagentMarks } from "./inline-subagents";
import { chainOf, decidedCommands, inheritBefore, isSubagentFile, NodeList } from "./node-list";
import {
  boundaryContent,
  clearingContent,
  type NewContent,
  type NewNode,
  type Node,
  type Pass,
  passesOf,
  sentTokens,
  usageOf,
} from "./nodes";
import { attachmentOrigin, localCommandOrigin, promptText, userOrigin } from "./origin";
import { ReappendedHistory } from "./reappended-history";
import {
  apiUsageOf,
  CAPTURED_TYPES,
  type Envelope,
  envelopeOf,
  innerType,
  KNOWN_TYPES,
  listsPasses,
  missReasonOf,
} from "./schema";
import { SeenUuids } from "./seen-uuids";
import { sessionMark } from "./session-mark";
import { sniffClaudeCode } from "./sniff";
import { isCompactionAgent, repeatsSession, startedSubagent } from "./subagents";
import { Trajectory } from "./trajectory";
import { abandonedRecords, type Tree } from "./trunk";

/**
 * Reads Claude Code's sessions (`~/.claude/projects/<project>/<session>.jsonl`). The format is not published; README.md lists what is known of
 * it, with sources. The trap: each content block of a response is a line of its own, with the response's usage on every line.
 */
export const claudeCodeReader: Reader = {
  format: "claude-code",
  sniff: sniffClaudeCode,
  parse: (builder) => new ClaudeCodeParser(builder),
  texts: (record) => draftOf(record).blocks.map((draft) => draft.text),
  sessionMarks: () => sessionMark,
  subagentMarks,
};

const NO_TYPE = "(no type)";

/** Model name of assistant records that no model wrote. */
const SYNTHETIC_MODEL = "<synthetic>";

/** Keeps a small node for every record, and classifies each at the end, when the whole tree is known. */
class ClaudeCodeParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #facts = new FactFinder();
  readonly #nodes: NodeList;
  readonly #uuids = new SeenUuids();
  /** Subagents whose records are in the file: those with an id, and those known only by their root. */
  readonly #sidechainAgents = new Set<string>();
  readonly #rooted = new Set<string>();
  readonly #subagentOf = subagentMarks();
  readonly #calls = new SubagentCalls();
  readonly #reappended = new ReappendedHistory();
  readonly #runs = new CapturedRuns((id) => this.#nodes.ids.find(id));
  readonly #unlisted: (Unlisted & { readonly line: LineNumber })[] = [];
  /** Records of calls for summaries, by their places among the nodes. */
  readonly #summaryCalls = new Set<number>();
  #hasSubagents = false;
  /** The subagent that the current record belongs to. */
  #subagent: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#nodes = new NodeList(builder.heldBlocks());
  }

  record(source: SourceRecord): void {
    const captured = isCaptured(source.value);
    const record = captured ? { ...source, value: sessionRecord(source.value) } : source;
    const envelope = envelopeOf(record.value);
    this.#count(envelope, record, captured);
    const at = this.#builder.time(isoTime(envelope.timestamp), record.line);
    this.#facts.add(envelope, record.line);
    this.#subagent = this.#noteSubagent(envelope, record.value, captured);
    const started = startedSubagent(envelope, record.value);
    this.#hasSubagents ||= started !== undefined || envelope.isSidechain === true;
    // A captured stream identifies a subagent by its call.
    if (started !== undefined && !this.#sidechainAgents.has(started.callId ?? "")) {
      this.#builder.subagent(started.agentId, started.callId);
    }
    if (captured && envelope.type === "stream_event") this.#streamed(record);
    else if (captured && envelope.type === "result") this.#result(envelope, record, at);
    else if (takesPart(envelope)) this.#addNode(envelope, record, at, captured);
  }

  #streamed(record: SourceRecord): void {
    const settled = this.#runs.streamed(record.value, this.#builder.numbers(record.line));
    for (const { node, usage, isFinal } of settled) this.#nodes.settle(node, usage, isFinal);
  }

  /** Ends a run with its `result`. A `result` without other records (`--output-format json`) holds the answer and the sum of its requests. */
  #result(envelope: Envelope, record: SourceRecord, at: Milliseconds | undefined): void {
    const numbers = this.#builder.numbers(record.line);
    if (this.#runs.isEmpty) this.#addAnswer(envelope, record, at);
    const { settled, unlisted, window } = this.#runs.end(record.value, numbers);
    for (const { node, usage, isFinal } of settled) this.#nodes.settle(node, usage, isFinal);
    this.#unlisted.push(...unlisted.map((one) => ({ ...one, line: record.line })));
    this.#builder.facts({ recordedWindow: window });
  }

  /** Writes requests known only from a captured run's sums: as subagents' requests if it has subagents, else after its last response. */
  #writeUnlisted(pointLines: readonly LineNumber[]): void {
    for (const { line, model, usage } of this.#unlisted) {
      const point = pointLines.findLastIndex((one) => one <= line);
      this.#builder.extraRequest({
        line,
        usage,
        model,
        ...(this.#hasSubagents ? { kind: "subagent" } : { kind: "pass", ...(point < 0 ? {} : { point }) }),
      });
    }
  }

  #addAnswer(envelope: Envelope, record: SourceRecord, at: Milliseconds | undefined): void {
    const { num_turns: turns, usage: reported, modelUsage } = record.value;
    const models = Object.keys(objectField(modelUsage) ?? {});
    const numbers = this.#builder.numbers(record.line);
    const content: NewContent = {
      kind: "response",
      id: undefined,
      requestId: undefined,
      model: models.length === 1 ? nameOf(models[0]) : undefined,
      // The sum of several requests is not the size of any context.
      usage: turns === 1 ? usageOf(apiUsageOf(reported, numbers)) : undefined,
      terms: {},
      isSettled: true,
      blocks: this.#builder.blocks(draftOf(record.value).blocks, record),
    };
    if (content.blocks.length > 0 || content.usage !== undefined) {
      this.#push({ ...placeOf(envelope, record, at), content }, true);
    }
  }

  #push(node: NewNode, captured: boolean): void {
    const { content } = node;
    const index = this.#nodes.length;
    this.#reappended.push(content, index);
    this.#nodes.push(node);
    if (captured && content.kind === "response") {
      const { model, usage, isSettled, blocks } = content;
      const chars = blocks.reduce((sum, { text }) => sum + text.chars, 0);
      this.#runs.response({
        node: index,
        id: this.#nodes.messageId(index),
        model,
        usage,
        isSettled,
        chars,
        isSubagents: node.sidechain,
      });
    }
  }

  end(): void {
    const nodes = this.#nodes;
    const known = (uuid: string) => this.#uuids.has(nodes.ids.find(uuid));
    const subagentFile = isSubagentFile(nodes);
    const chain = chainOf(nodes, subagentFile);
    const origins = decidedCommands(nodes, chain);
    if (subagentFile && repeatsSession([...this.#sidechainAgents][0])) inheritBefore(nodes, chain);
    const abandoned = abandonedRecords(this.#tree(chain, origins), (...problem) => this.#builder.problem(...problem));
    const trajectory = new Trajectory(nodes);
    for (const [place, index] of chain.entries()) {
      const node = withOrigin(nodes.node(index), origins.get(index));
      if (abandoned[place] === 1) this.#builder.problem("left-behind-branch", node.line);
      else this.#addToTrajectory(trajectory, node);
    }
    trajectory.write(this.#builder);
    this.#writeUnlisted(trajectory.pointLines);
    writeExtraRequests(this.#builder, nodes, chain, abandoned, this.#summaryCalls);
    this.#writeSubagents(subagentFile);
    this.#facts.write(this.#builder, known, subagentFile);
  }

  /** Writes the file's subagent data: the subagent that the file belongs to, or those recorded among the session's records. */
  #writeSubagents(subagentFile: boolean): void {
    const agents = [...this.#sidechainAgents, ...this.#rooted];
    if (subagentFile) {
      this.#builder.sidechains(0);
      if (agents[0] !== undefined) this.#builder.ownAgent(agents[0]);
      return;
    }
    this.#builder.sidechains([...this.#sidechainAgents].filter((agent) => !isCompactionAgent(agent)).length);
    for (const agent of agents) this.#builder.subagentInFile(agent);
  }

  /** Notes the subagent that a record belongs to, if any, and returns its id. */
  #noteSubagent({ type, uuid, agentId }: Envelope, record: JsonObject, captured: boolean): string | undefined {
    const agent = this.#subagentOf(record);
    if (agent === undefined) {
      if (type === "assistant") this.#calls.add(record);
    } else if (agent === idOf(agentId)) {
      this.#sidechainAgents.add(agent);
      if (captured) this.#builder.subagent(agent, agent);
    }
    // The mark is the record's own uuid: it is the root of a subagent without an id.
    else if (agent === uuid && !this.#rooted.has(agent)) {
      this.#rooted.add(agent);
      const callId = this.#calls.startedBy(record);
      if (callId !== undefined) this.#builder.subagent(agent, callId);
    }
    return agent;
  }

  #tree(chain: Int32Array, origins: ReadonlyMap<number, "context" | "typed">): Tree {
    return {
      length: chain.length,
      ids: this.#nodes.ids.length,
      known: (uuid) => this.#uuids.has(uuid),
      node: (place) => {
        const index = chain[place] ?? 0;
        const node = this.#nodes.treeNode(index, origins.get(index) ?? this.#nodes.origin(index));
        const parents = [node.parent, node.logicalParent];
        const isBehind = parents.some((parent) => this.#reappended.isBehind(parent, index));
        return isBehind ? { ...node, parent: NONE, logicalParent: NONE } : node;
      },
    };
  }

  #addToTrajectory(trajectory: Trajectory, node: Node): void {
    const { content } = node;
    trajectory.add(node);
    if (content.kind === "response" && content.model !== undefined) this.#builder.model(content.model);
  }

  #count(envelope: Envelope, record: SourceRecord, captured: boolean): void {
    const type = envelope.type ?? NO_TYPE;
    const detail = HAS_SUBTYPE.has(type) ? (envelope.subtype ?? envelope.operation ?? innerType(envelope)) : undefined;
    const name = detail === undefined ? type : `${type}/${detail}`;
    this.#builder.countRecord(name);
    const isKnown = KNOWN_TYPES.has(type) || (captured && CAPTURED_TYPES.has(type));
    if (!isKnown) this.#builder.unknownRecord(type, record.line);
  }

  #addNode(envelope: Envelope, record: SourceRecord, at: Milliseconds | undefined, captured: boolean): void {
    const uuid = idOf(envelope.uuid);
    const draft = draftOf(record.value);
    const filled = draft.blocks.length > 0;
    // A resumed session repeats records. A copy without content gives way to one with content.
    const id = uuid === undefined ? NONE : this.#nodes.ids.index(uuid);
    const isCopy = this.#uuids.has(id) && !this.#isOther(this.#uuids.node(id), envelope, record, at);
    const isInherited = idOf(envelope.forkedFrom) !== undefined && envelope.forkedFrom !== envelope.sessionId;
    if (isCopy && (this.#uuids.hasContent(id) || !filled)) {
      if (isInherited) this.#nodes.inherit(this.#uuids.node(id));
      this.#builder.problem("duplicate-record", record.line);
      this.#reappended.copy(id, isMessageRecord(envelope));
      return;
    }
    if (id !== NONE) this.#uuids.see(id, filled, this.#nodes.length);
    if (isCompactionAgent(envelope.agentId)) this.#summaryCalls.add(this.#nodes.length);
    for (const name of draft.odd) this.#builder.problem("unexpected-field", record.line, name);
    this.#push({ ...placeOf(envelope, record, at), content: this.#content(envelope, record, draft) }, captured);
    if (isInherited) this.#nodes.inherit(this.#nodes.length - 1);
  }

  /** True if a record differs from the node with the same uuid: another response, or another compaction. */
  #isOther(node: number, envelope: Envelope, { value }: SourceRecord, at: Milliseconds | undefined): boolean {
    if (envelope.type === "assistant") {
      const id = idOf(objectField(value.message)?.id);
      if (!this.#nodes.isResponse(node)) return true;
      return id !== undefined && this.#nodes.isNamed(node) && this.#nodes.ids.find(id) !== this.#nodes.messageId(node);
    }
    const { content, at: before } = this.#nodes.node(node);
    if (envelope.subtype === "compact_boundary") return content.kind !== "boundary" || before !== at;
    return content.kind === "response" || content.kind === "boundary";
  }

  #content(envelope: Envelope, record: SourceRecord, draft: Draft): NewContent {
    const blocks = this.#builder.blocks(draft.blocks, record);
    switch (`${envelope.type}/${envelope.subtype ?? ""}`) {
      case "user/": {
        const origin = userOrigin(envelope, draft);
        this.#facts.prompt(origin, promptText(draft), envelope.isSidechain === true);
        return { kind: "user", conversation: true, origin, blocks };
      }
      case "assistant/":
        return this.#response(envelope, record, blocks);
      case "attachment/":
        return { kind: "user", conversation: false, origin: attachmentOrigin(envelope, draft), blocks };
      case "system/local_command":
        return { kind: "user", conversation: false, origin: localCommandOrigin(draft), blocks };
      case "system/compact_boundary":
        return boundaryContent(envelope, this.#builder.numbers(record.line));
      case "system/microcompact_boundary":
        return clearingContent(envelope, this.#builder.numbers(record.line));
      default:
        return { kind: "other" };
    }
  }

  #response(envelope: Envelope, record: SourceRecord, blocks: readonly Block[]): NewContent {
    const message = objectField(record.value.message);
    const model = textField(message?.model);
    const reported = apiUsageOf(message?.usage, this.#builder.numbers(record.line));
    const { usage, passes, isIncomplete } = passesOf(reported, model);
    if (isIncomplete === true) this.#builder.problem("incomplete-passes", record.line);
    if (!listsPasses(message?.usage)) this.#builder.problem("unexpected-field", record.line, "usage.iterations");
    if (usage !== undefined && model !== SYNTHETIC_MODEL && sentTokens(usage) === 0) {
      this.#builder.problem("pseudo-usage", record.line);
    }
    return {
      kind: "response",
      id: idOf(message?.id),
      requestId: idOf(envelope.requestId),
      model: model === SYNTHETIC_MODEL ? undefined : nameOf(model),
      usage,
      ...(passes === undefined ? {} : { passes: passes.map((pass) => withName(pass)) }),
      terms: {
        speed: reported?.speed,
        serviceTier: reported?.service_tier,
        inferenceGeo: reported?.inference_geo,
        process: processOf(envelope.version, envelope.cwd, envelope.sessionId),
        missReason: missReasonOf(message),
        ...this.#facts.placeOf(envelope),
        subagent: this.#subagent,
      },
      isSettled: textField(message?.stop_reason) !== undefined,
      usesFirstCount: usesFirstOutputCount(envelope.version),
      blocks,
    };
  }
}

/** The place of a record in the tree. */
function placeOf(envelope: Envelope, { line }: SourceRecord, at: Milliseconds | undefined): Omit<NewNode, "content"> {
  return {
    line,
    uuid: idOf(envelope.uuid),
    parent: idOf(envelope.parentUuid),
    logicalParent: idOf(envelope.logicalParentUuid),
    sidechain: envelope.isSidechain === true,
    at,
  };
}

/** A pass, without its model if that is not a possible name. */
function withName({ model, usage }: Pass): Pass {
  const name = model === undefined ? undefined : nameOf(model);
  return name === undefined ? { usage } : { model: name, usage };
}

/** Record types that have subtypes of their own. */
const HAS_SUBTYPE = new Set(["system", "progress", "attachment", "queue-operation"]);

/** True if a record has a place in the tree, under an id that may be masked, or has content. */
function takesPart(envelope: Envelope): boolean {
  return envelope.type === "user" || envelope.type === "assistant" || envelope.uuid !== undefined;
}

const NONE = -1;

/** True for a user or assistant record. */
function isMessageRecord({ type }: Envelope): boolean {
  return type === "user" || type === "assistant";
}

function withOrigin(node: Node, origin: "context" | "typed" | undefined): Node {
  const { content } = node;
  return origin === undefined || content.kind !== "user" ? node : { ...node, content: { ...content, origin } };
}
