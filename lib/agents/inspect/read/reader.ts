/*
 * A log of Inspect: one JSON document with a list of samples, each a session of its own. Invented and shortened:
 *
 * {"version":2,"status":"success","eval":{"task":"ports","model":"openai/gpt-5-mini"},
 *  "samples":[
 *   {"id":1,"epoch":1,"input":"Which port?","target":"3000","uuid":"ATYF",
 *    "messages":[{"id":"m1","role":"user","content":"Which port?","source":"input"},
 *     {"id":"m2","role":"assistant","content":"3000","source":"generate","tool_calls":[]}],
 *    "events":[{"event":"model","timestamp":"2026-05-02T09:00:00Z","model":"openai/gpt-5-mini","input":[{"id":"m1"}],"tools":[],
 *     "output":{"model":"gpt-5-mini","choices":[{"message":{"id":"m2"}}],"usage":{"input_tokens":90,"output_tokens":4,"total_tokens":94}}}],
 *    "attachments":{}}]}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { BlockSource } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { draftOf, textsOf } from "./blocks";
import { type Sample, sampleOf } from "./sample";
import { usageOf } from "./usage";

/** Reads samples of Inspect's JSON logs, each a session. README.md describes the format. */
export const inspectReader: Reader = {
  format: "inspect",
  sniff: (head) => head.some(isSample),
  parse: (builder) => new InspectParser(builder),
  texts: (record) => textsOf(draftOf(sampleOf(record))),
  documentList: ["samples"],
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value), begins: Array.isArray(value.messages) }),
};

function isSample({ epoch, messages, target, ...rest }: JsonObject): boolean {
  return (
    typeof epoch === "number" && Array.isArray(messages) && target !== undefined && "id" in rest && "input" in rest
  );
}

/** The name of a sample's file within an `.eval` log. */
function sessionOf({ id, epoch }: JsonObject): string | undefined {
  const name = typeof id === "number" ? `${id}` : idOf(id);
  return name === undefined ? undefined : `${name}_epoch_${typeof epoch === "number" ? epoch : 1}`;
}

class InspectParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #samples = 0;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    if (!Array.isArray(value.messages)) {
      this.#builder.countRecord("(no messages)");
      this.#builder.unknownRecord("(no messages)", line);
      return;
    }
    this.#begin(value, line);
    const sample = sampleOf(value);
    const { tools, messages } = draftOf(sample);
    let part = 0;
    const next = (): BlockSource => ({ line, offset: record.offset, length: record.length, part: part++ });
    for (const { category, name, text } of tools)
      this.#builder.overhead({ category, name, text: this.#builder.text(text), source: next() });
    const messageOfId = new Map<string, number>();
    for (const [index, draft] of messages.entries()) {
      const source = sample.messages[index] ?? {};
      this.#count(source, line);
      if (draft.isPrompt) {
        for (const { text } of draft.blocks) this.#builder.systemPrompt(text, next());
        continue;
      }
      const at = this.#before(sample, index, messageOfId, line);
      const id = idOf(source.id);
      if (id !== undefined) messageOfId.set(id, this.#builder.messageCount);
      if (draft.blocks.length === 0) continue;
      const blocks = draft.blocks.map((one) => this.#builder.block(one, next()));
      const { role, origin } = draft;
      this.#builder.message({ role, origin, line, at, blocks });
      if (origin === "typed") this.#title = promptTitle(this.#title, draft.blocks[0]?.text ?? "");
    }
    for (const event of sample.others) this.#builder.extraRequest({ kind: "subagent", ...this.#request(event, line) });
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  /** A further sample is a session of its own: its context holds nothing of the previous one. */
  #begin(value: JsonObject, line: number): void {
    const sessionId = sessionOf(value);
    this.#builder.facts({ sessionId });
    this.#samples += 1;
    if (this.#samples > 1) this.#builder.furtherSession(line, sessionId);
  }

  #count({ role }: JsonObject, line: number): void {
    const name = textOf(role) || "(no role)";
    this.#builder.countRecord(name);
    if (!ROLES.has(name)) this.#builder.unknownRecord(name, line);
  }

  /** Writes the compactions and the request before a message; returns the time of the request. */
  #before(sample: Sample, index: number, messageOfId: ReadonlyMap<string, number>, line: number): number | undefined {
    const call = sample.calls.get(index);
    const source = sample.messages[index];
    if (call === undefined) {
      // A response without a logged call is a request, unless a person or a program wrote it.
      if (source?.role === "assistant" && (source.source ?? "generate") === "generate") this.#builder.request({ line });
      return undefined;
    }
    const kept = [...call.sent].flatMap((id) => messageOfId.get(id) ?? []);
    for (const event of sample.compactions.get(index) ?? []) this.#compaction(event, kept, line);
    const request = this.#request(call.event, line);
    if (request.model !== undefined) this.#builder.model(request.model);
    this.#builder.request({ ...request });
    return request.at;
  }

  /** A response from the program's own cache was not paid for: it has no usage. */
  #request(event: JsonObject, line: number) {
    const output = objectOf(event.output);
    const at = this.#builder.time(timeOf(event.completed ?? event.timestamp), line);
    const model = nameOf(output.model) ?? nameOf(event.model);
    const usage = event.cache === "read" ? undefined : usageOf(output.usage, this.#builder.numbers(line));
    return { line, at, model, usage };
  }

  #compaction(event: JsonObject, kept: readonly number[], line: number): void {
    const numbers = this.#builder.numbers(line);
    const at = this.#builder.time(timeOf(event.timestamp), line);
    const tokensBefore = numbers.tokens(event.tokens_before, "tokens_before");
    const tokensAfter = numbers.tokens(event.tokens_after, "tokens_after");
    this.#builder.boundary({
      kind: "compaction",
      line,
      at,
      trigger: "auto",
      kept: kept.toSorted((a, b) => a - b),
      tokensBefore,
      tokensAfter,
    });
  }
}

const ROLES = new Set(["system", "user", "assistant", "tool"]);
