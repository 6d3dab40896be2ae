/*
 * Session of the agent: one JSON record a line. Replace this with about ten invented lines of the real format:
 *
 * {"type":"session","agent":"skeleton","version":"1.0.0","id":"s-2"}
 * {"type":"user","text":"Read everything."}
 * {"type":"assistant","text":"Done.","usage":{"input":9000,"cached":0,"output":5}}
 * {"type":"compaction","summary":"Everything was read."}
 * {"type":"user","text":"Go on."}
 * {"type":"assistant","text":"Going on.","usage":{"input":700,"output":5}}
 */

import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, objectsOf, textOf, textOrJson, timeOf } from "@/lib/agents/shared/json";
import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { promptTitle } from "@/lib/agents/shared/title";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { Usage } from "@/lib/core/transcript/model";
import type { Reader, RecordParser } from "@/lib/core/transcript/reader";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** Reads the agent's sessions. README.md describes the format. */
const skeletonReader: Reader = {
  format: "skeleton",
  sniff: sniffSkeleton,
  parse: (builder) => new SkeletonParser(builder),
  texts: (record) => draftOf(record)?.blocks.map(({ text }) => text) ?? [],
};

/**
 * Reads records and never throws: an odd value becomes a `Problem`. Reading may stop after any record: each record is written at once, and `end`
 * writes only what is still missing.
 */
class SkeletonParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    const type = textOf(value.type) || "(no type)";
    this.#builder.countRecord(type);
    const at = this.#builder.time(timeOf(value.time), line);
    const draft = draftOf(value);
    if (type === "session") this.#session(value);
    else if (draft === undefined) this.#builder.unknownRecord(type, line);
    else this.#message(draft, record, at);
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
  }

  #session({ version, id, folder }: JsonObject): void {
    this.#builder.facts({ agentVersion: nameOf(version), sessionId: idOf(id), project: nameOf(folder) });
  }

  #message(draft: DraftMessage, record: SourceRecord, at: number | undefined): void {
    const { value, line } = record;
    const when = { line, at };
    const isSummary = draft.origin === "summary";
    // Everything before it is dropped from the context; the summary itself does not belong to the replayed trajectory.
    if (isSummary) this.#compaction(when);
    const { role, origin } = draft;
    const message = this.#builder.message({
      role,
      origin,
      ...when,
      blocks: this.#builder.blocks(draft.blocks, record),
      recordedOnly: isSummary,
    });
    if (origin === "typed") this.#title = promptTitle(this.#title, draft.blocks[0]?.text ?? "");
    if (origin === "response") this.#response(value, message, when);
  }

  #response(
    value: JsonObject,
    message: number,
    when: { readonly line: number; readonly at?: number | undefined },
  ): void {
    const model = nameOf(value.model);
    const numbers = this.#builder.numbers(when.line);
    numbers.unknownUsage(value.usage, KNOWN_FIELDS);
    const usage = usageOf(objectOf(value.usage), numbers);
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({ message, ...when, model, usage });
  }

  #compaction(when: { readonly line: number; readonly at?: number | undefined }): void {
    this.#builder.boundary({ kind: "compaction", ...when, summaryLine: when.line });
  }
}

/** Fields of `usage` that are read. Add an unneeded one with the reason; any other becomes a problem. */
const KNOWN_FIELDS: KnownUsageFields = new Set(["input", "cached", "output"]);

/** Unrecorded fields are absent, never 0. `input` excludes tokens read from the cache. */
function usageOf({ input, cached, output }: JsonObject, numbers: RecordNumbers): Usage | undefined {
  const sent = numbers.tokens(input, "input");
  const read = numbers.tokens(cached, "cached");
  const generated = numbers.tokens(output, "output");
  if (sent === undefined) return undefined;
  return { input: Math.max(0, sent - (read ?? 0)), cacheRead: read, output: generated };
}

/**
 * Content of a record that the model read; `undefined` for records that the model did not read. Both reading and loading texts again use this function,
 * so that they give the same texts in the same order.
 */
function draftOf(record: JsonObject): DraftMessage | undefined {
  switch (record.type) {
    case "user":
      return { role: "user", origin: "typed", blocks: [{ kind: "text", text: textOf(record.text) }] };
    case "assistant":
      return { role: "assistant", origin: "response", blocks: responseBlocks(record) };
    case "result":
      return { role: "user", origin: "tool", blocks: [resultBlock(record)] };
    case "compaction":
      return { role: "user", origin: "summary", blocks: [{ kind: "text", text: textOf(record.summary) }] };
    default:
      return undefined;
  }
}

function responseBlocks(record: JsonObject): readonly DraftBlock[] {
  const calls = objectsOf(record.calls).map(
    ({ id, name, arguments: given }): DraftBlock => ({
      kind: "tool_call",
      text: textOrJson(given),
      callId: idOf(id),
      tool: nameOf(name),
      file: nameOf(objectOf(given).path),
    }),
  );
  return [{ kind: "text", text: textOf(record.text) }, ...calls];
}

function resultBlock({ call, text, failed }: JsonObject): DraftBlock {
  return { kind: "tool_result", text: textOf(text), callId: idOf(call), isError: failed === true };
}

/** Parts that only the server loads; `ServerProfile` lists further optional ones. */
export const server: ServerProfile = {
  reader: skeletonReader,
};

/**
 * True if the first records are the agent's, recognised by a field that only this agent writes. The checks test it against every fixture of every
 * format.
 */
function sniffSkeleton(head: readonly JsonObject[]): boolean {
  return head.some(({ type, agent }) => type === "session" && agent === "skeleton");
}
