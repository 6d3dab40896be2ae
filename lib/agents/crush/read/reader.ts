/*
 * Session of Crush: the rows of a session and its messages, in order. Invented and shortened:
 *
 * {"crush":"session","id":"s-1","title":"Fix the port","prompt_tokens":0,"completion_tokens":40,"cost":0.02,"created_at":1772352000}
 * {"crush":"message","id":"m-1","session_id":"s-1","role":"user","parts":[{"type":"text","data":{"text":"Fix the port."}}],"created_at":1772352000}
 * {"crush":"message","id":"m-2","role":"assistant","model":"sonnet","parts":[{"type":"tool_call","data":{"id":"c-1","name":"view","input":"{}"}},{"type":"finish","data":{"reason":"tool_use"}}]}
 * {"crush":"message","id":"m-3","role":"tool","parts":[{"type":"tool_result","data":{"tool_call_id":"c-1","content":"PORT=3000"}}]}
 * {"crush":"message","id":"m-4","role":"assistant","is_summary_message":true,"parts":[{"type":"text","data":{"text":"The port is 3000."}},{"type":"finish","data":{"reason":"end_turn"}}]}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, objectsOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { SessionChanges } from "@/lib/agents/shared/session-changes";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import type { Message } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { CONTINUATION_PREFIX } from "../base/constants";
import { blocksOf, PARTS } from "./blocks";

/** Reads the rows of Crush's database. README.md describes the format. */
export const crushReader: Reader = {
  format: "crush",
  sniff: (head) => head.some(({ crush }) => crush === "session" || crush === "message"),
  parse: (builder) => new CrushParser(builder),
  texts: (record) => blocksOf(record).map(({ text }) => text),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value) }),
};

/** The session of a row. */
function sessionOf({ crush, id, session_id }: JsonObject): string | undefined {
  return idOf(crush === "session" ? id : session_id);
}

/** No row has a usage object; the counters of a session are not usage of a request. Source: README.md, "Usage". */
const NO_USAGE: KnownUsageFields = new Set();

type When = Pick<Message, "line" | "at">;

class CrushParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #sessions: SessionChanges;
  #title: string | undefined;
  #hasOwnTitle = false;
  /** True after a summary whose trigger is not known yet. */
  #isAfterSummary = false;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#sessions = new SessionChanges(builder);
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    this.#builder.numbers(line).unknownUsage(value.usage, NO_USAGE);
    this.#sessions.record(sessionOf(value), line);
    const at = this.#builder.time(timeOf(value.created_at), line);
    this.#builder.time(timeOf(value.updated_at), line);
    if (value.crush === "session") {
      this.#builder.countRecord("session");
      this.#session(value);
      return;
    }
    const role = textOf(value.role) || "(no role)";
    const isMessage = value.crush === "message" && ROLES.has(role);
    this.#builder.countRecord(value.crush === "message" ? role : "(no row)");
    if (isMessage) this.#message(record, role, { line, at });
    else this.#builder.unknownRecord(value.crush === "message" ? role : "(no row)", line);
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  #session({ id, title, parent_session_id }: JsonObject): void {
    this.#builder.facts({ sessionId: idOf(id) });
    const own = nameOf(title);
    this.#hasOwnTitle = own !== undefined && own !== UNTITLED;
    if (this.#hasOwnTitle) this.#title = own;
    this.#builder.parent(idOf(parent_session_id) ?? "", "subagent");
  }

  #message(record: SourceRecord, role: string, when: When): void {
    const { value } = record;
    const drafts = blocksOf(value);
    for (const { type } of objectsOf(value.parts)) {
      const name = textOf(type) || "(no type)";
      if (!PARTS.has(name)) this.#builder.unknownRecord(`part/${name}`, when.line);
    }
    if (role === "assistant" && isSummary(value)) this.#summary(record, drafts, when);
    else if (role === "assistant") this.#response(record, drafts, when);
    else if (role === "tool") this.#add(record, drafts, { role: "user", origin: "tool", ...when });
    else this.#prompt(record, drafts, when);
  }

  /** The summary replaces the whole history. It is sent as the user's message. */
  #summary(record: SourceRecord, drafts: readonly DraftBlock[], when: When): void {
    this.#builder.boundary({ kind: "compaction", ...when, summaryLine: when.line });
    this.#isAfterSummary = true;
    this.#add(record, drafts, { role: "user", origin: "summary", recordedOnly: true, ...when });
  }

  /** A response without content was an error, or was cancelled, and is never sent. */
  #response(record: SourceRecord, drafts: readonly DraftBlock[], when: When): void {
    const { value } = record;
    const isNone = drafts.length === 0 && !COMPLETE.has(finishOf(value.parts));
    if (isNone) return;
    const model = nameOf(value.model);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ ...when, model });
    this.#add(record, drafts, { role: "assistant", origin: "response", ...when });
    const own = idOf(value.id);
    for (const { tool, callId } of drafts) {
      // The id of a subagent's session joins the message's id and the call's.
      if (own !== undefined && callId !== undefined && SUBAGENTS.has(tool ?? ""))
        this.#builder.subagent(`${own}$$${callId}`, callId);
    }
  }

  /** After an automatic compaction within a turn, Crush repeats the turn's prompt in a sentence of its own. */
  #prompt(record: SourceRecord, drafts: readonly DraftBlock[], when: When): void {
    const text = drafts[0]?.text ?? "";
    const continues = text.startsWith(CONTINUATION_PREFIX);
    if (continues && this.#isAfterSummary) this.#builder.setInferredTrigger("auto");
    this.#isAfterSummary = false;
    if (!this.#hasOwnTitle && !continues) this.#title = promptTitle(this.#title, text);
    const added = continues ? ({ origin: "context", recordedOnly: true } as const) : ({ origin: "typed" } as const);
    this.#add(record, drafts, { role: "user", ...added, ...when });
  }

  #add(record: SourceRecord, drafts: readonly DraftBlock[], message: Omit<Message, "blocks">): void {
    if (drafts.length > 0) this.#builder.message({ ...message, blocks: this.#builder.blocks(drafts, record) });
  }
}

const ROLES = new Set(["user", "assistant", "tool"]);
/** Reasons of a response that the model finished. */
const COMPLETE = new Set(["end_turn", "max_tokens", "tool_use"]);
/** Tools that start a session of their own. */
const SUBAGENTS = new Set(["agent", "agentic_fetch"]);
/** Title of a session that has none yet. */
const UNTITLED = "Untitled Session";

/** True for a summary whose call succeeded; a failed one replaced nothing. */
function isSummary({ is_summary_message, parts }: JsonObject): boolean {
  return is_summary_message === true && finishOf(parts) === "end_turn";
}

function finishOf(parts: unknown): string {
  const finish = objectsOf(parts).find(({ type }) => type === "finish");
  return textOf(objectOf(finish?.data).reason);
}
