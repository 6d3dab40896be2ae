import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { BlockSource } from "@/lib/core/transcript/model";
import type { Reader, RecordParser, SourceRecord } from "@/lib/core/transcript/reader";
import { idOf, nameOf } from "../ids";
import { type JsonObject, objectOf, objectsOf, textOf, timeOf } from "../json";
import { titleOf } from "../title";
import { type DraftStep, draftOf, isCompaction, textsOf } from "./blocks";
import { sniffAtif } from "./sniff";
import { usageOf } from "./usage";

/** Reads trajectories of the Agent Trajectory Interchange Format: one document, or one on each line. README.md describes the format. */
export const atifReader: Reader = {
  format: "atif",
  sniff: sniffAtif,
  parse: (builder) => new AtifParser(builder),
  texts: (record) => textsOf(draftOf(record)),
  sessionMarks:
    () =>
    ({ value }) => ({ session: sessionOf(value), begins: Array.isArray(value.steps) }),
};

/** The known versions; a later one is read all the same, and reported. */
const KNOWN = /^ATIF-v1\.[0-7]$/;

const SOURCES = new Set(["system", "user", "agent"]);

function sessionOf(value: JsonObject): string | undefined {
  return idOf(value.session_id) ?? idOf(value.trajectory_id);
}

class AtifParser implements RecordParser {
  readonly #builder: TranscriptBuilder;
  #title: string | undefined;
  #trajectories = 0;
  #sidechains = 0;
  /** The model of steps that name none. */
  #model: string | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  record(record: SourceRecord): void {
    const { value, line } = record;
    if (!Array.isArray(value.steps)) {
      this.#builder.countRecord("(no steps)");
      this.#builder.unknownRecord("(no steps)", line);
      return;
    }
    if (!KNOWN.test(textOf(value.schema_version))) this.#builder.problem("unexpected-field", line, "schema_version");
    this.#begin(value, line);
    const { tools, steps } = draftOf(value);
    let part = 0;
    const next = (): BlockSource => ({ line, offset: record.offset, length: record.length, part: part++ });
    this.#overhead(tools, next);
    for (const step of steps) this.#step(step, line, next);
  }

  end(): void {
    this.#builder.facts({ title: this.#title });
    this.#builder.sidechains(this.#sidechains);
  }

  /** A further trajectory is a session of its own: its context holds nothing from the one before. */
  #begin(value: JsonObject, line: number): void {
    const agent = objectOf(value.agent);
    const version = [nameOf(agent.name), nameOf(agent.version)].filter((part) => part !== undefined).join(" ");
    this.#model = nameOf(agent.model_name);
    this.#sidechains += objectsOf(value.subagent_trajectories).length;
    this.#trajectories += 1;
    const sessionId = sessionOf(value);
    this.#builder.facts({ agentVersion: nameOf(version), sessionId });
    if (this.#trajectories === 1) return;
    this.#builder.problem("several-sessions", line, sessionId, Math.max(1, objectsOf(value.steps).length));
    this.#boundary({ kind: "rollback", line });
  }

  #step({ value, overhead, messages }: DraftStep, line: number, next: () => BlockSource): void {
    const source = textOf(value.source) || "(no source)";
    this.#builder.countRecord(source);
    if (!SOURCES.has(source)) this.#builder.unknownRecord(source, line);
    const at = this.#builder.time(timeOf(value.timestamp), line);
    const when = { line, ...(at === undefined ? {} : { at }) };
    if (isCompaction(value)) this.#compaction(value, when, messages.length > 0);
    this.#overhead(overhead, next);
    if (source === "agent") this.#request(value, when);
    for (const message of messages) this.#message(message, when, next);
  }

  #overhead(entries: readonly DraftOverhead[], next: () => BlockSource): void {
    for (const { category, name, text } of entries) {
      this.#builder.overhead({ category, name, text: this.#builder.text(text), source: next() });
    }
  }

  #message({ role, origin, blocks }: DraftMessage, when: When, next: () => BlockSource): void {
    if (blocks.length === 0) return;
    const measured = blocks.map((one) => this.#builder.block(one, next()));
    const recordedOnly = origin === "summary" ? { recordedOnly: true } : {};
    this.#builder.message({ role, origin, ...when, blocks: measured, ...recordedOnly });
    if (origin === "typed") this.#title ??= titleOf(blocks[0]?.text ?? "");
  }

  /**
   * A step of the agent is a request, unless it was copied from an earlier trajectory (and is counted there) or no model was called. Figures of
   * several calls in one step are sums, and tell nothing about a context.
   */
  #request(step: JsonObject, when: When): void {
    const figures = this.#builder.figures(when.line);
    const calls = figures.sum(step.llm_call_count, "llm_call_count") ?? 1;
    if (step.is_copied_context === true || calls === 0) return;
    const model = nameOf(step.model_name) ?? this.#model;
    const usage = usageOf(step.metrics, figures);
    const sums = calls > 1 && usage !== undefined;
    if (sums) this.#builder.problem("pseudo-usage", when.line, "llm_call_count");
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({
      message: this.#builder.messageCount,
      ...when,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined || sums ? {} : { usage }),
    });
  }

  #compaction(step: JsonObject, when: When, hasSummary: boolean): void {
    const said = objectOf(objectOf(step.extra).context_management);
    const figures = this.#builder.figures(when.line);
    const tokensBefore = figures.tokens(said.tokens_before, "tokens_before");
    const tokensAfter = figures.tokens(said.tokens_after, "tokens_after");
    this.#boundary({
      kind: "compaction",
      ...when,
      ...(tokensBefore === undefined ? {} : { tokensBefore }),
      ...(tokensAfter === undefined ? {} : { tokensAfter }),
      ...(hasSummary ? { summaryLine: when.line } : {}),
    });
  }

  #boundary(
    facts: Omit<Parameters<TranscriptBuilder["boundary"]>[0], "trigger" | "message" | "kept" | "clearedCalls">,
  ) {
    const message = this.#builder.messageCount;
    this.#builder.boundary({ ...facts, trigger: "unknown", message, kept: [], clearedCalls: [] });
  }
}

interface When {
  readonly line: number;
  readonly at?: number;
}
