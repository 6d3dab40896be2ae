/*
 * Session of Hermes Agent: a record for the session and one for each message, as older releases wrote them and as the database has them. Invented:
 *
 * {"role":"session_meta","id":"20260301_080000_ab12cd34","model":"sonnet","title":"The port","system_prompt":"You are Hermes.","started_at":1772352000.5}
 * {"role":"user","content":"Which port?","timestamp":1772352001.5}
 * {"role":"assistant","content":"","tool_calls":[{"id":"c-1","function":{"name":"read_file","arguments":"{}"}}],"reasoning":"Read it.","timestamp":1772352003}
 * {"role":"tool","content":"PORT=3000","tool_call_id":"c-1","tool_name":"read_file","timestamp":1772352004}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, jsonOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { SessionChanges } from "@/lib/agents/shared/session-changes";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { blocksOf } from "./blocks";
import { type MessageKey, type Row, writeTrajectory } from "./trajectory";

/** Reads sessions of Hermes Agent. README.md describes the format. */
export const hermesReader: Reader = {
  format: "hermes",
  sniff: (head) => head.some(({ role }) => role === "session_meta"),
  parse: (builder) => new HermesParser(builder),
  texts: (record) => blocksOf(record).map(({ text }) => text),
  sessionMarks: () => {
    let current: string | undefined;
    return ({ value }) => {
      const session = sessionOf(value);
      const continues = continuesSession(value, current);
      current = session ?? current;
      return { session, continues };
    };
  },
};

/** The session that a record describes. Messages name none. */
function sessionOf({ role, id, session_id }: JsonObject): string | undefined {
  return role === "session_meta" ? (idOf(id) ?? idOf(session_id)) : undefined;
}

/** True for a session that goes on after a compaction of the session before it. */
function continuesSession({ role, parent_session_id }: JsonObject, before: string | undefined): boolean {
  return role === "session_meta" && before !== undefined && parent_session_id === before;
}

/** No record has a usage object; the counters of a session are not usage of a request. Source: README.md, "Usage". */
const NO_USAGE: KnownUsageFields = new Set();

/** Holds the messages until the end: their copies show which ones a compaction kept. */
class HermesParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  readonly #sessions: SessionChanges;
  readonly #rows: Row[] = [];
  #model: string | undefined;
  #title: string | undefined;
  #ownTitle: string | undefined;
  #hasPrompt = false;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
    this.#sessions = new SessionChanges(builder);
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const role = textOf(value.role) || "(no role)";
    this.#builder.countRecord(role);
    this.#sessions.record(sessionOf(value), line, continuesSession(value, this.#sessions.current));
    this.#builder.numbers(line).unknownUsage(value.usage, NO_USAGE);
    if (role === "session_meta") this.#session(record);
    else if (role === "user" || role === "assistant" || role === "tool") this.#message(record, role);
    else this.#builder.unknownRecord(role, line);
  }

  end(): void {
    this.#builder.facts({ title: this.#ownTitle ?? this.#title });
    writeTrajectory(this.#builder, this.#rows);
  }

  #session({ value, line, offset, length }: SourceRecord): void {
    this.#model = nameOf(value.model) ?? this.#model;
    this.#ownTitle = nameOf(value.title) ?? this.#ownTitle;
    this.#builder.time(timeOf(value.started_at ?? value.timestamp), line);
    this.#builder.time(timeOf(value.ended_at), line);
    this.#builder.facts({
      sessionId: sessionOf(value),
      project: nameOf(value.cwd),
      branch: nameOf(value.git_branch),
    });
    const [prompt] = blocksOf(value);
    // A session that continues another one has a prompt of its own, which replaces the earlier one.
    if (prompt === undefined || this.#hasPrompt) return;
    this.#hasPrompt = true;
    this.#builder.systemPrompt(prompt.text, { line, offset, length, part: 0 }, "system_prompt");
  }

  #message(record: SourceRecord, role: "user" | "assistant" | "tool"): void {
    const { value, line } = record;
    const at = this.#builder.time(timeOf(value.timestamp), line);
    const drafts = blocksOf(value);
    const text = drafts.find(({ kind }) => kind === "text")?.text ?? "";
    const isSummary = role !== "tool" && SUMMARY.test(text);
    const plain = role === "tool" ? "tool" : role === "assistant" ? "response" : "typed";
    if (!isSummary && plain === "typed") this.#title = promptTitle(this.#title, text);
    const model = role === "assistant" ? this.#model : undefined;
    if (model !== undefined && !isSummary) this.#builder.model(model);
    this.#rows.push({
      role: role === "assistant" ? "assistant" : "user",
      origin: isSummary ? "summary" : plain,
      line,
      at,
      model,
      blocks: this.#builder.blocks(drafts, record),
      key: keyOf(role, value, drafts),
      isRewound: value.rewound === true,
    });
  }
}

/** The beginning of a summary in every release, and the mark of one that was merged into a message. Source: README.md, "Traps". */
const SUMMARY = /^\[CONTEXT (?:COMPACTION|SUMMARY)\b|\[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW\]/;

function keyOf(role: string, { tool_call_id, content }: JsonObject, drafts: readonly DraftBlock[]): MessageKey {
  const text = `${role}\0${jsonOf(content)}`;
  const calls = drafts.filter(({ kind }) => kind === "tool_call").map(({ callId }) => callId);
  if (role !== "tool" && calls.length === 0) return { kind: "text", text };
  const ids = role === "tool" ? [idOf(tool_call_id)] : calls;
  const kind = role === "tool" ? "result" : "calls";
  return ids.includes(undefined) ? { kind, text } : { kind, text, ids: ids.join("\0") };
}
