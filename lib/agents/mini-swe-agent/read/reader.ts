/*
 * A run of mini-swe-agent: one JSON document. Invented and shortened:
 *
 * {"info":{"mini_version":"2.4.6","config":{"model":{"model_name":"deepseek/deepseek-chat"},"environment":{"cwd":"/testbed"}}},
 *  "messages":[
 *   {"role":"system","content":"You work in a shell."},
 *   {"role":"user","content":"Fix the port."},
 *   {"role":"assistant","content":"Looking.","tool_calls":[{"id":"c1","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}],
 *    "extra":{"cost":0.001,"timestamp":1780680349.4,"response":{"model":"deepseek-chat",
 *     "usage":{"prompt_tokens":900,"completion_tokens":40,"prompt_tokens_details":{"cached_tokens":640}}}}},
 *   {"role":"tool","tool_call_id":"c1","content":"<returncode>0</returncode>","extra":{"returncode":0,"timestamp":1780680349.6}},
 *   {"role":"exit","content":"","extra":{"exit_status":"Submitted"}}],
 *  "trajectory_format":"mini-swe-agent-1.1","instance_id":"shop__shop-17"}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, objectsOf, textOf, timeOf } from "@/lib/agents/shared/json";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { BlockSource } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import { draftsOf, type MiniMessage } from "./blocks";
import { usageOf } from "./usage";

/** Reads runs of mini-swe-agent, versions 1 and 2. README.md describes the format. */
export const miniReader: Reader = {
  format: "mini-swe-agent",
  sniff: (head) => head.some(isRun),
  parse: (builder) => new MiniParser(builder),
  texts: (record) => draftsOf(record).flatMap(({ blocks }) => blocks.map(({ text }) => text)),
  sessionMarks:
    () =>
    ({ value }) => ({ session: idOf(value.instance_id), begins: Array.isArray(value.messages) }),
};

function isRun({ trajectory_format, messages }: JsonObject): boolean {
  return textOf(trajectory_format).startsWith("mini-swe-agent") && Array.isArray(messages);
}

class MiniParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #runs = 0;

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
    const config = objectOf(objectOf(value.info).config);
    const model = nameOf(objectOf(config.model).model_name);
    let part = 0;
    const next = (): BlockSource => ({ line, offset: record.offset, length: record.length, part: part++ });
    for (const message of draftsOf(value)) this.#message(message, model, line, next);
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  /** A further run is a session of its own: its context holds nothing of the previous one. */
  #begin(value: JsonObject, line: number): void {
    const { mini_version, config } = objectOf(value.info);
    const { environment, environment_type } = objectOf(config);
    const sessionId = idOf(value.instance_id);
    // In any other environment, the folder is inside a container.
    const isLocal = textOf(environment_type).endsWith("LocalEnvironment");
    const project = isLocal ? nameOf(objectOf(environment).cwd) : undefined;
    this.#builder.facts({ agentVersion: nameOf(mini_version), sessionId, project });
    this.#runs += 1;
    if (this.#runs > 1) this.#builder.furtherSession(line, sessionId, Math.max(1, objectsOf(value.messages).length));
  }

  #message(draft: MiniMessage, model: string | undefined, line: number, next: () => BlockSource): void {
    const { value, kind, role, origin } = draft;
    const name = textOf(value.role) || textOf(value.type) || textOf(value.object) || "(no role)";
    this.#builder.countRecord(name);
    if (kind === "unknown") this.#builder.unknownRecord(name, line);
    const extra = objectOf(value.extra);
    const at = this.#builder.time(timeOf(extra.timestamp ?? value.timestamp), line);
    const when = { line, at };
    if (kind === "prompt") {
      for (const { text } of draft.blocks) this.#builder.systemPrompt(text, next());
      return;
    }
    if (kind === "response" || kind === "rejected") this.#request(draft, model, when);
    if (draft.blocks.length === 0) return;
    const blocks = draft.blocks.map((one) => this.#builder.block(one, next()));
    this.#builder.message({ role, origin, ...when, blocks });
    if (origin === "typed") this.#title = promptTitle(this.#title, draft.blocks[0]?.text ?? "");
  }

  /**
   * Writes a response as a request. One that could not be parsed is billed, but the run continues without it: only the message that rejected it holds
   * it.
   */
  #request(
    { value, kind }: MiniMessage,
    configured: string | undefined,
    when: { readonly line: number; readonly at?: number | undefined },
  ): void {
    const extra = objectOf(value.extra);
    const response = value.object === "response" ? value : objectOf(extra.response);
    const model = nameOf(response.model) ?? configured;
    const usage = usageOf(response.usage, extra.cost, this.#builder.numbers(when.line));
    const request = { ...when, model, usage };
    if (model !== undefined) this.#builder.model(model);
    if (kind === "rejected") this.#builder.extraRequest({ kind: "branch", ...request });
    else this.#builder.request({ ...request });
  }
}
