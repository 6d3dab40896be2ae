/*
 * Session of Goose: a record for the session and one for each message, as older releases wrote them and as the database has them. Invented:
 *
 * {"working_dir":"/home/ada/shop","description":"The port","message_count":3,"total_tokens":900,"accumulated_total_tokens":1700}
 * {"id":"m-1","role":"user","created":1772352001,"content":[{"type":"text","text":"Which port?"}]}
 * {"id":"m-2","role":"assistant","created":1772352003,"content":[{"type":"toolRequest","id":"c-1","toolCall":{"status":"success",
 *   "value":{"name":"shell","arguments":{"command":"cat .env"}}}}],"metadata":{"userVisible":true,"agentVisible":true}}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, objectsOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { SessionChanges } from "@/lib/agents/shared/session-changes";
import { promptTitle } from "@/lib/agents/shared/title";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { blocksOf } from "./blocks";
import { type Row, type SummaryCall, writeTrajectory } from "./trajectory";

/** Reads sessions of Goose. README.md describes the format. */
export const gooseReader: Reader = {
  format: "goose",
  sniff: (head) => head.some((record) => isSession(record) || isMessage(record)),
  parse: (builder) => new GooseParser(builder),
  texts: (record) => blocksOf(record).map(({ text }) => text),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value) }),
};

function isSession(record: JsonObject): boolean {
  const isHeader = "message_count" in record || "accumulated_total_tokens" in record;
  return record.goose === "session" || ("working_dir" in record && isHeader && !("conversation" in record));
}

function isMessage({ goose, created, content }: JsonObject): boolean {
  const isCall = ({ type }: JsonObject) => type === "toolRequest" || type === "toolResponse";
  return goose === "message" || (typeof created === "number" && objectsOf(content).some(isCall));
}

/** Id of the session that a record describes. Messages name none. */
function sessionOf(record: JsonObject): string | undefined {
  return isSession(record) ? idOf(record.id) : undefined;
}

/** Counts of a request, and other fields without tokens. */
const KNOWN_USAGE: KnownUsageFields = new Set([
  ...["inputTokens", "outputTokens", "totalTokens", "cacheReadTokens", "cacheWriteTokens"],
  ...["cost", "elapsedMs", "timeToFirstTokenMs"],
]);

/** Names of sessions that nobody has named yet. */
const UNNAMED = /^(?:New (?:Chat|[Ss]ession)\b.*|CLI Session)$/;

/** Holds the messages until the end, since a flag does not show which later compaction set it. */
class GooseParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #sessions: SessionChanges;
  readonly #rows: Row[] = [];
  readonly #calls: SummaryCall[] = [];
  #model: string | undefined;
  #title: string | undefined;
  #ownTitle: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#sessions = new SessionChanges(builder);
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    this.#sessions.record(sessionOf(value), line);
    const at = this.#builder.time(timeOf(value.created), line);
    const role = textOf(value.role);
    if (isSession(value)) {
      this.#builder.countRecord("session");
      this.#session(value, line);
    } else if (value.goose === "usage") {
      this.#builder.countRecord("usage");
      const usage = this.#usage(value, line);
      if (usage !== undefined) this.#calls.push({ line, at, model: nameOf(value.model), usage });
    } else if (role === "user" || role === "assistant") {
      this.#builder.countRecord(role);
      this.#message(record, role, at);
    } else {
      this.#builder.countRecord(role || "(no role)");
      this.#builder.unknownRecord(role || "(no role)", line);
    }
  }

  end(): void {
    this.#builder.facts({ title: this.#ownTitle ?? this.#title });
    writeTrajectory(this.#builder, this.#rows, this.#calls);
  }

  #session(value: JsonObject, line: number): void {
    const { model_name, context_limit } = objectOf(value.model_config_json);
    this.#model = nameOf(model_name) ?? this.#model;
    const name = nameOf(value.name) ?? nameOf(value.description);
    if (name !== undefined && !UNNAMED.test(name)) this.#ownTitle = name;
    this.#builder.facts({
      sessionId: idOf(value.id),
      project: nameOf(value.working_dir),
      recordedWindow: this.#builder.numbers(line).tokens(context_limit, "context_limit"),
    });
    if (value.session_type === "sub_agent") this.#builder.parent(idOf(value.parent_session_id) ?? "", "subagent");
  }

  #message(record: SourceRecord, role: "user" | "assistant", at: number | undefined): void {
    const { value, line } = record;
    const metadata = objectOf(value.metadata);
    const inference = objectOf(metadata.inference);
    const drafts = blocksOf(value);
    const text = drafts.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
    const isForUser = metadata.userVisible !== false;
    const usage = this.#usage(metadata, line);
    const isTurnContext = metadata.turnContext === true;
    const isTyped = role === "user" && isForUser && !drafts.some(({ kind }) => kind === "tool_result");
    if (isTyped && !isTurnContext && text !== "") this.#title = promptTitle(this.#title, text);
    this.#rows.push({
      role,
      line,
      at,
      model: nameOf(inference.resolvedModel) ?? nameOf(inference.requestedModel) ?? this.#model,
      usage: role === "assistant" ? usage : undefined,
      text,
      blocks: this.#builder.blocks(drafts, record),
      isForUser,
      isForModel: metadata.agentVisible !== false,
      isTurnContext,
    });
  }

  /** Input includes cache reads and writes. A cost that Goose estimated is not the provider's. */
  #usage({ usage: counts }: JsonObject, line: number): Usage | undefined {
    const numbers = this.#builder.numbers(line);
    numbers.unknownUsage(counts, KNOWN_USAGE);
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost, costSource } = objectOf(counts);
    const usage = usageFrom({
      sent: numbers.tokens(inputTokens, "inputTokens"),
      output: numbers.tokens(outputTokens, "outputTokens"),
      cacheRead: numbers.tokens(cacheReadTokens, "cacheReadTokens"),
      cacheWrite: numbers.tokens(cacheWriteTokens, "cacheWriteTokens"),
    });
    const ownCost = costSource === "provider_reported" ? numbers.dollars(cost, "cost") : undefined;
    return usage === undefined || ownCost === undefined ? usage : { ...usage, ownCost };
  }
}
