/*
 * Session of GitHub Copilot CLI: one event a line. Invented and shortened:
 *
 * {"type":"session.start","data":{"sessionId":"s-1","copilotVersion":"1.0.77","selectedModel":"gpt-5.5"},"id":"e1","parentId":null,"timestamp":"…"}
 * {"type":"user.message","data":{"content":"Which port?","transformedContent":"<time>…</time>Which port?"},"id":"e2",…}
 * {"type":"assistant.message","data":{"content":"","toolRequests":[{"toolCallId":"c1","name":"view","arguments":{"path":"a.ts"}}],"outputTokens":12},…}
 * {"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"port = 3000"}},…}
 * {"type":"session.compaction_complete","data":{"success":true,"preCompactionTokens":90000,"summaryContent":"…"},…}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { SessionChanges } from "@/lib/agents/shared/session-changes";
import { promptTitle } from "@/lib/agents/shared/title";
import { entryOf, type SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftMessage } from "@/lib/core/transcript/draft";
import type { Boundary, CompactionTrigger, Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { draftOf } from "./blocks";
import { isKnownEvent, isSubagents, sniffCopilot, subagentOf } from "./events";
import { requestUsage, summaryCallUsage } from "./usage";

/** Reads sessions of GitHub Copilot CLI. README.md describes the format. */
export const copilotReader: Reader = {
  format: "copilot-cli",
  sniff: sniffCopilot,
  parse: (builder) => new CopilotParser(builder),
  texts: (event) => textsOf(event),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value) }),
  subagentMarks: () => subagentOf,
};

/** The session that an event starts or resumes. */
function sessionOf({ type, data }: JsonObject): string | undefined {
  const isStart = type === "session.start" || type === "session.resume";
  return isStart ? idOf(objectOf(data).sessionId) : undefined;
}

function textsOf(event: JsonObject): readonly string[] {
  if (event.type === "system.message") return [textOf(objectOf(event.data).content)];
  return draftOf(event)?.blocks.map(({ text }) => text) ?? [];
}

/** Triggers under the program's names. Source: session-events.ts, CompactionTrigger. */
const TRIGGERS: Readonly<Record<string, CompactionTrigger>> = {
  threshold: "auto",
  memory_pressure: "auto",
  model_switch: "auto",
  context_limit_retry: "overflow",
  manual: "manual",
};

interface When {
  readonly line: number;
  readonly at?: number | undefined;
}

/** An event of the session itself. */
interface OwnEvent {
  readonly data: JsonObject;
  readonly draft: DraftMessage | undefined;
  readonly record: SourceRecord;
  readonly when: When;
}

class CopilotParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #sessions: SessionChanges;
  #title: string | undefined;
  #model: string | undefined;
  #hasPrompt = false;
  /** Ids of the subagents with responses; all masked ids are one. */
  readonly #subagents = new Set<string | undefined>();
  /** Indices of the messages in the context, oldest first. */
  #live: number[] = [];
  /** The API call of the last response, while nothing follows it. */
  #lastCall: string | undefined;
  /** Number of messages when a compaction began: it goes on in the background, and later messages are not part of its summary. */
  #compactionFrom: number | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#sessions = new SessionChanges(builder);
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const type = textOf(value.type) || "(no type)";
    this.#builder.countRecord(type);
    this.#sessions.record(sessionOf(value), line);
    const at = this.#builder.time(timeOf(value.timestamp), line);
    const when = { line, at };
    const draft = draftOf(value);
    if (draft === undefined && !isKnownEvent(type)) this.#builder.unknownRecord(type, line);
    if (isSubagents(value)) this.#ofSubagent(subagentOf(value), type, objectOf(value.data), when);
    else {
      const event = { data: objectOf(value.data), draft, record, when };
      const handler = entryOf(this.#handlers, type);
      if (handler === undefined) this.#message(event);
      else handler(event);
    }
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
    this.#builder.sidechains(this.#subagents.size);
    for (const agent of this.#subagents) if (agent !== undefined) this.#builder.subagentInFile(agent);
  }

  /** Handles a subagent's event: its messages are in no context of the session, but its requests are billed. */
  #ofSubagent(agent: string | undefined, type: string, data: JsonObject, when: When): void {
    if (type === "subagent.started" && agent !== undefined) this.#builder.subagent(agent, idOf(data.toolCallId));
    if (type !== "assistant.message" && type !== "assistant.usage") return;
    this.#subagents.add(agent);
    if (type === "assistant.message") return;
    this.#extra("subagent", data, requestUsage(data, this.#builder.numbers(when.line)), { ...when, agent });
  }

  /** The events that change the session; any other event is a message, or is ignored. */
  readonly #handlers: Readonly<Record<string, (event: OwnEvent) => void>> = {
    "session.start": ({ data }) => this.#session(data),
    "session.resume": ({ data }) => this.#session(data),
    "session.model_change": ({ data }) => {
      this.#model = nameOf(data.newModel) ?? this.#model;
    },
    "session.title_changed": ({ data }) => {
      this.#title = nameOf(data.title) ?? this.#title;
    },
    "session.usage_info": ({ data, when }) => this.#window(data, when.line),
    "system.message": ({ data, record }) => this.#prompt(textOf(data.content), record),
    "session.compaction_start": ({ data, when }) => {
      this.#window(data, when.line);
      this.#compactionFrom = this.#builder.messageCount;
    },
    "session.compaction_complete": (event) => this.#compaction(event),
    "session.truncation": ({ data, when }) => this.#truncation(data, when),
    "session.context_cleared": (event) => {
      this.#writeBoundary({ kind: "rollback", ...event.when }, []);
      this.#message(event);
    },
    "assistant.message": (event) => this.#response(event),
    "assistant.usage": ({ data, when }) => this.#usage(data, when),
  };

  #session(data: JsonObject): void {
    const { cwd, branch } = objectOf(data.context);
    this.#model = nameOf(data.selectedModel) ?? this.#model;
    this.#builder.facts({
      agentVersion: nameOf(data.copilotVersion),
      sessionId: idOf(data.sessionId),
      project: nameOf(cwd),
      branch: nameOf(branch),
    });
    const parent = idOf(data.detachedFromSpawningParentSessionId);
    if (parent !== undefined) this.#builder.parent(parent, "resume");
  }

  /** The window of the model in use, under the name that the event gives it. */
  #window(data: JsonObject, line: number, key = "tokenLimit"): void {
    this.#builder.facts({ recordedWindow: this.#builder.numbers(line).tokens(data[key], key) });
  }

  /** The program writes its prompt again for every interaction: only the first copy counts. */
  #prompt(text: string, { line, offset, length }: SourceRecord): void {
    if (this.#hasPrompt || text === "") return;
    this.#hasPrompt = true;
    this.#builder.systemPrompt(text, { line, offset, length, part: 0 });
  }

  #message({ data, draft, record, when }: OwnEvent): void {
    if (draft === undefined || draft.blocks.length === 0) return;
    const { role, origin } = draft;
    const blocks = this.#builder.blocks(draft.blocks, record);
    this.#live.push(this.#builder.message({ role, origin, ...when, blocks, recordedOnly: origin === "summary" }));
    this.#lastCall = undefined;
    if (origin === "typed") this.#title = promptTitle(this.#title, data.content);
  }

  /** A response may be split into several messages with one `apiCallId`: one request. */
  #response({ data, draft, record, when }: OwnEvent): void {
    const call = idOf(data.apiCallId);
    const blocks = this.#builder.blocks(draft?.blocks ?? [], record);
    if (call !== undefined && call === this.#lastCall) {
      this.#builder.extendMessage(blocks);
      return;
    }
    const model = nameOf(data.model) ?? this.#model;
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ ...when, model });
    this.#live.push(this.#builder.message({ role: "assistant", origin: "response", ...when, blocks }));
    this.#lastCall = call;
  }

  /** A captured stream states each request's usage after its response. */
  #usage(data: JsonObject, when: When): void {
    this.#window(data, when.line, "maxPromptTokens");
    const usage = requestUsage(data, this.#builder.numbers(when.line));
    const call = idOf(data.apiCallId);
    const isLast = this.#builder.requestCount > 0 && (call === undefined || call === this.#lastCall);
    // The compaction's own event states its usage as well.
    if (textOf(data.interactionType) === "conversation-compaction") return;
    if (isLast && usage !== undefined) this.#builder.amendRequest({ usage });
    else this.#extra("pass", data, usage, when);
  }

  #extra(
    kind: "subagent" | "pass" | "compaction",
    data: JsonObject,
    usage: Usage | undefined,
    { agent, ...when }: When & { readonly agent?: string | undefined; readonly boundary?: number },
  ): void {
    if (usage === undefined) return;
    const model = nameOf(data.model) ?? this.#model;
    this.#builder.extraRequest({
      kind,
      ...when,
      usage,
      model,
      ...(agent === undefined ? {} : { terms: { subagent: agent } }),
    });
  }

  /** Adds a compaction. A failed one changes nothing, but its call is billed. */
  #compaction(event: OwnEvent): void {
    const { data, draft, when } = event;
    const numbers = this.#builder.numbers(when.line);
    this.#window(data, when.line);
    const used = objectOf(data.compactionTokensUsed);
    const succeeded = data.success !== false;
    if (succeeded) {
      const from = this.#compactionFrom ?? this.#builder.messageCount;
      const took = numbers.sum(used.duration, "duration");
      const hasSummary = (draft?.blocks.length ?? 0) > 0;
      const boundary = {
        kind: "compaction" as const,
        ...when,
        ...compactionSizes(data, numbers),
        took,
        ...(hasSummary ? { summaryLine: when.line } : {}),
      };
      this.#writeBoundary(
        boundary,
        this.#live.filter((message) => message >= from),
        entryOf(TRIGGERS, textOf(data.trigger)),
      );
      this.#message(event);
    }
    this.#compactionFrom = undefined;
    const usage = summaryCallUsage(data.compactionTokensUsed, numbers);
    const boundary = succeeded ? this.#builder.boundaryCount - 1 : -1;
    this.#extra("compaction", used, usage, { ...when, boundary });
  }

  /** Drops the oldest messages without a summary. Earlier releases wrote the event before every request, even if nothing was dropped. */
  #truncation(data: JsonObject, when: When): void {
    const numbers = this.#builder.numbers(when.line);
    this.#window(data, when.line);
    const removed = numbers.sum(data.messagesRemovedDuringTruncation, "messagesRemovedDuringTruncation") ?? 0;
    const removedTokens = numbers.tokens(data.tokensRemovedDuringTruncation, "tokensRemovedDuringTruncation") ?? 0;
    if (removed === 0 && removedTokens === 0) return;
    const before = numbers.tokens(data.preTruncationTokensInMessages, "preTruncationTokensInMessages");
    const after = numbers.tokens(data.postTruncationTokensInMessages, "postTruncationTokensInMessages");
    const boundary = { kind: "compaction" as const, ...when, tokensBefore: before, tokensAfter: after };
    this.#writeBoundary(boundary, this.#live.slice(removed), "overflow");
  }

  #writeBoundary(
    facts: Omit<Boundary, "trigger" | "message" | "kept" | "clearedCalls">,
    kept: readonly number[],
    trigger: CompactionTrigger = "unknown",
  ): void {
    this.#builder.boundary({ ...facts, trigger, kept });
    this.#live = [...kept];
    this.#lastCall = undefined;
  }
}

/**
 * Sizes of the whole context before and after a compaction. The event counts the conversation, and separately the system prompt and the tools;
 * without these two, its numbers are used unchanged. Source: README.md, "Sizes of a compaction".
 */
function compactionSizes(data: JsonObject, numbers: ReturnType<TranscriptBuilder["numbers"]>) {
  const before = numbers.tokens(data.preCompactionTokens, "preCompactionTokens");
  const after = numbers.tokens(data.postCompactionTokens, "postCompactionTokens");
  const conversation = numbers.tokens(data.conversationTokens, "conversationTokens");
  const system = numbers.tokens(data.systemTokens, "systemTokens");
  const tools = numbers.tokens(data.toolDefinitionsTokens, "toolDefinitionsTokens");
  const overhead = system === undefined || tools === undefined ? undefined : system + tools;
  const isConversationOnly = after === undefined || conversation === undefined || after <= conversation;
  const around = overhead !== undefined && isConversationOnly ? overhead : 0;
  const remaining = after ?? conversation;
  return {
    ...(before === undefined ? {} : { tokensBefore: before + around }),
    ...(remaining === undefined ? {} : { tokensAfter: remaining + around }),
  };
}
