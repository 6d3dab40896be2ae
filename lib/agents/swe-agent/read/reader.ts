/*
 * A run of SWE-agent: one JSON document. Invented and shortened:
 *
 * {"trajectory":[{"action":"ls","observation":"port.py","response":"Look.\n```\nls\n```","thought":"Look.","query":[…]}],
 *  "history":[
 *   {"role":"system","content":"You work in a shell.","agent":"main","message_type":"system_prompt"},
 *   {"role":"user","content":"Fix the port.","agent":"main","message_type":"observation"},
 *   {"role":"assistant","content":"Look.\n```\nls\n```","thought":"Look.","action":"ls","agent":"main","message_type":"action"},
 *   {"role":"user","content":"port.py","agent":"main","message_type":"observation"}],
 *  "info":{"swe_agent_version":"1.1.0","model_stats":{"instance_cost":0.01,"tokens_sent":900,"tokens_received":40,"api_calls":1}},
 *  "replay_config":"{\"agent\":{\"model\":{\"name\":\"gpt-4o\"}},\"problem_statement\":{\"id\":\"shop__shop-17\"}}","environment":"main"}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, objectsOf, parsedOr, textOf } from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { BlockSource } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields } from "@/lib/core/transcript/record-numbers";
import { entriesOf, type HistoryEntry } from "./history";

/** Reads runs of SWE-agent. README.md describes the format. */
export const sweAgentReader: Reader = {
  format: "swe-agent",
  sniff: (head) => head.some(isRun),
  parse: (builder) => new SweAgentParser(builder),
  texts: (record) => entriesOf(record).flatMap(({ blocks }) => blocks.map(({ text }) => text)),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value), begins: Array.isArray(value.history) }),
};

function isRun({ trajectory, history, info }: JsonObject): boolean {
  return Array.isArray(trajectory) && Array.isArray(history) && isObject(info);
}

/** The run's configuration, which releases until 1.0 wrote as an object and later ones as JSON in a text. */
function configOf({ replay_config }: JsonObject): JsonObject {
  return objectOf(typeof replay_config === "string" ? parsedOr(replay_config) : replay_config);
}

function sessionOf(run: JsonObject): string | undefined {
  return idOf(objectOf(configOf(run).problem_statement).id);
}

/** Fields with sums over the run. They belong to no request, so they are recognised but not used. */
const SUMS: KnownUsageFields = new Set(["instance_cost", "total_cost", "tokens_sent", "tokens_received", "api_calls"]);

/** Text in place of an output that a history processor removed. Source: sweagent/agent/history_processors.py, `LastNObservations`. */
const REMOVED = "Old environment output: (";

class SweAgentParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #runs = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    if (!Array.isArray(value.history)) {
      this.#builder.countRecord("(no history)");
      this.#builder.unknownRecord("(no history)", line);
      return;
    }
    const model = this.#begin(value, line);
    const removed = removedBefore(value);
    const entries = entriesOf(value);
    let part = 0;
    const next = (): BlockSource => ({ line, offset: record.offset, length: record.length, part: part++ });
    for (const [index, entry] of entries.entries()) {
      if (entry.kind === "response") {
        this.#clearing(removed.get(index) ?? [], entries, line);
        this.#request(model, line);
      }
      this.#entry(entry, line, next);
    }
    this.#abandoned(value, entries, line, model);
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  /** Returns the run's model. A further run is a session of its own: its context holds nothing of the previous one. */
  #begin(value: JsonObject, line: number): string | undefined {
    const config = configOf(value);
    const info = objectOf(value.info);
    const sessionId = sessionOf(value);
    this.#builder.facts({ agentVersion: nameOf(info.swe_agent_version), sessionId });
    this.#builder.numbers(line).unknownUsage(info.model_stats, SUMS);
    this.#runs += 1;
    if (this.#runs > 1) this.#builder.furtherSession(line, sessionId, Math.max(1, objectsOf(value.history).length));
    return nameOf(objectOf(objectOf(config.agent).model).name);
  }

  #entry({ value, kind, role, origin, blocks }: HistoryEntry, line: number, next: () => BlockSource): void {
    const name = kind === "demo" ? "demonstration" : textOf(value.role) || "(no role)";
    this.#builder.countRecord(name);
    if (kind === "unknown") this.#builder.unknownRecord(name, line);
    if (kind === "prompt") {
      for (const { text } of blocks) this.#builder.systemPrompt(text, next());
      return;
    }
    if (blocks.length === 0) return;
    this.#builder.message({ role, origin, line, blocks: blocks.map((one) => this.#builder.block(one, next())) });
    if (origin === "typed") this.#title = promptTitle(this.#title, blocks[0]?.text ?? "");
  }

  #request(model: string | undefined, line: number): void {
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ line, model });
  }

  #clearing(indices: readonly number[], entries: readonly HistoryEntry[], line: number): void {
    const clearedCalls = indices.flatMap((index) => {
      const callId = entries[index]?.blocks.find(({ kind }) => kind === "tool_result")?.callId;
      return callId === undefined ? [] : [callId];
    });
    if (clearedCalls.length === 0) return;
    this.#builder.boundary({ kind: "clearing", line, trigger: "auto", clearedCalls });
  }

  /** Steps whose response could not be used: the model was asked again without them, and the history does not hold them. */
  #abandoned(value: JsonObject, entries: readonly HistoryEntry[], line: number, model: string | undefined): void {
    const responses = entries.filter(({ kind }) => kind === "response").length;
    for (let count = objectsOf(value.trajectory).length; count > responses; count -= 1)
      this.#builder.extraRequest({ kind: "branch", line, model });
  }
}

/**
 * Indices of the outputs that are missing from a response's prompt for the first time, by the response's index in the history. A step holds the
 * prompt of its own response as `query`, or before 1.1 that of the next one as `messages`: in both cases, as many entries as precede the response.
 */
function removedBefore(run: JsonObject): ReadonlyMap<number, readonly number[]> {
  const known = new Set<number>();
  const removed = new Map<number, readonly number[]>();
  for (const step of objectsOf(run.trajectory)) {
    const prompt = objectsOf(step.query ?? step.messages);
    const fresh = prompt.flatMap((entry, index) => (isRemoved(entry) && !known.has(index) ? [index] : []));
    if (fresh.length === 0) continue;
    for (const index of fresh) known.add(index);
    removed.set(prompt.length, fresh);
  }
  return removed;
}

function isRemoved({ content }: JsonObject): boolean {
  const text = Array.isArray(content) ? textOf(objectOf(content[0]).text) : textOf(content);
  return text.startsWith(REMOVED);
}
