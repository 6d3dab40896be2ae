import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Block, CompactionTrigger, Message, Usage } from "@/lib/core/transcript/model";

/** A message as it was read, before compactions are applied. */
export interface Row {
  readonly role: "user" | "assistant";
  readonly line: number;
  readonly at: number | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  /** Its texts, joined. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly isForUser: boolean;
  /** False if it was never sent, or is not sent any more. */
  readonly isForModel: boolean;
  /** The program's own message about the turn. */
  readonly isTurnContext: boolean;
}

/** A paid request for a summary. */
export interface SummaryCall {
  readonly line: number;
  readonly at: number | undefined;
  readonly model: string | undefined;
  readonly usage: Usage;
}

/** Writes the messages in order, with the compactions that their flags show. Source: README.md, "Traps". */
export function writeTrajectory(builder: TranscriptBuilder, rows: readonly Row[], calls: readonly SummaryCall[]): void {
  const trajectory = new Trajectory(builder, rows);
  trajectory.write();
  trajectory.addCalls(calls);
}

/** Beginnings of a turn's commands, which are not sent. */
const COMMAND = /^\/\S/;

/** An answer may be stored as several messages, with the results of its calls between them. */
interface Answer {
  readonly at: number | undefined;
  readonly hasUsage: boolean;
  readonly hasCalls: boolean;
  /** True as long as no other message followed. */
  readonly isLast: boolean;
}

/** A result that is not sent any more. */
interface HiddenResult {
  readonly at: number | undefined;
  /** Absent where the id is masked. */
  readonly call: string | undefined;
}

class Trajectory {
  readonly #builder: TranscriptBuilder;
  readonly #rows: readonly Row[];
  /** Positions of the summaries. */
  readonly #summaries: ReadonlySet<number>;
  readonly #lastSummary: number;
  readonly #boundaries: { readonly index: number; readonly at: number | undefined }[] = [];
  /** Hidden results in the context, oldest first. */
  #hidden: HiddenResult[] = [];
  #answer: Answer | undefined;
  /** The last prompt in the context, and its message. */
  #prompt: { readonly text: string; readonly message: number } | undefined;

  constructor(builder: TranscriptBuilder, rows: readonly Row[]) {
    this.#builder = builder;
    this.#rows = rows;
    const summaries = [...rows.keys()].filter((position) => this.#isSummary(position));
    this.#summaries = new Set(summaries);
    this.#lastSummary = summaries.at(-1) ?? -1;
  }

  write(): void {
    for (let position = 0; position < this.#rows.length; ) position += this.#rowsWritten(position);
  }

  /** Each call belongs to the newest compaction before it: the usage is written after the summary. */
  addCalls(calls: readonly SummaryCall[]): void {
    for (const { line, at, model, usage } of calls) {
      const made = this.#boundaries.findLast((boundary) => (boundary.at ?? 0) <= (at ?? Number.POSITIVE_INFINITY));
      this.#builder.extraRequest({
        kind: "compaction",
        line,
        usage,
        boundary: made?.index ?? -1,
        ...(at === undefined ? {} : { at }),
        ...(model === undefined ? {} : { model }),
      });
    }
  }

  /** True for a compaction's summary: a user message that only the model sees, followed by an assistant message that asks it to go on. */
  #isSummary(position: number): boolean {
    const [summary, next] = [this.#rows[position], this.#rows[position + 1]];
    if (summary === undefined || next === undefined) return false;
    const isHiddenText = (row: Row, role: Row["role"]) =>
      row.role === role && !row.isForUser && !row.isTurnContext && row.blocks.every(({ kind }) => kind === "text");
    return isHiddenText(summary, "user") && isHiddenText(next, "assistant");
  }

  /** Writes the message or compaction at a position; returns its number of rows. */
  #rowsWritten(position: number): number {
    const row = this.#rows[position];
    if (row === undefined || row.blocks.length === 0) return 1;
    if (this.#summaries.has(position)) return this.#compaction(position, row);
    if (row.role === "assistant") {
      if (!this.#isNeverSent(position, row)) this.#response(row);
      return 1;
    }
    const results = row.blocks.some(({ kind }) => kind === "tool_result");
    if (results) this.#results(row);
    else if (!this.#isNeverSent(position, row)) this.#prompted(position, row);
    return 1;
  }

  /** True for a command and the program's answer to it; after the last compaction also for any other hidden text. */
  #isNeverSent(position: number, row: Row): boolean {
    if (row.isForModel || !row.isForUser) return false;
    if (position > this.#lastSummary) return row.blocks.every(({ kind }) => kind === "text" || kind === "image");
    const before = this.#rows[position - 1];
    const command = row.role === "user" ? row : before;
    return command?.role === "user" && !command.isForModel && COMMAND.test(command.text) && row.usage === undefined;
  }

  #compaction(position: number, summary: Row): number {
    const next = this.#rows[position + 1];
    const copy = this.#rows[position + 2];
    const kept =
      copy !== undefined && copy.role === "user" && copy.text === this.#prompt?.text ? this.#prompt : undefined;
    const when = timed(summary);
    this.#boundaries.push({ index: this.#builder.boundaryCount, at: summary.at });
    this.#builder.boundary({
      kind: "compaction",
      ...when,
      trigger: "unknown",
      summaryLine: summary.line,
      message: this.#builder.messageCount,
      kept: kept === undefined ? [] : [kept.message],
      clearedCalls: [],
    });
    const trigger = triggerOf(next?.text ?? "");
    if (trigger !== undefined) this.#builder.setInferredTrigger(trigger);
    this.#builder.message({ role: "user", origin: "summary", recordedOnly: true, ...when, blocks: summary.blocks });
    if (next !== undefined) {
      this.#builder.message({
        role: "assistant",
        origin: "context",
        recordedOnly: true,
        ...timed(next),
        blocks: next.blocks,
      });
    }
    this.#hidden = [];
    this.#answer = undefined;
    this.#prompt = kept;
    return kept === undefined ? 2 : 3;
  }

  /** Writes a response. Every answer begins a request, but its further parts do not. */
  #response(row: Row): void {
    const hasCalls = row.blocks.some(({ kind }) => kind === "tool_call");
    const last = this.#answer;
    const isPart = last !== undefined && (last.isLast || (hasCalls && last.hasCalls && last.at === row.at));
    const goesOn = isPart && !(last.hasUsage && row.usage !== undefined);
    const { model, usage } = row;
    if (model !== undefined) this.#builder.model(model);
    if (!goesOn) {
      const message = this.#builder.messageCount;
      this.#builder.request({
        message,
        ...timed(row),
        ...(model === undefined ? {} : { model }),
        ...(usage === undefined ? {} : { usage }),
      });
    } else if (usage !== undefined) this.#builder.amendRequest({ usage });
    this.#builder.message({ role: "assistant", origin: "response", ...timed(row), blocks: row.blocks });
    this.#answer = {
      at: goesOn ? last.at : row.at,
      hasUsage: usage !== undefined || (goesOn && last.hasUsage),
      hasCalls: hasCalls || (goesOn && last.hasCalls),
      isLast: true,
    };
  }

  #results(row: Row): void {
    this.#builder.message({ role: "user", origin: "tool", ...timed(row), blocks: row.blocks });
    if (!row.isForModel) {
      const results = row.blocks.filter(({ kind }) => kind === "tool_result");
      this.#hidden.push(...results.map(({ callId }) => ({ at: row.at, call: callId })));
    }
    if (this.#answer !== undefined) this.#answer = { ...this.#answer, isLast: false };
  }

  /** A message of the user's role without results: typed, or the program's own. */
  #prompted(position: number, row: Row): void {
    this.#answer = undefined;
    const isTyped = this.#isTyped(position, row);
    const cleared = isTyped || row.isTurnContext ? undefined : this.#summarisedResult(position, row);
    if (cleared !== undefined) {
      this.#hidden = this.#hidden.filter((result) => result !== cleared);
      this.#builder.boundary({
        kind: "clearing",
        ...timed(row),
        trigger: "auto",
        message: this.#builder.messageCount,
        kept: [],
        clearedCalls: cleared.call === undefined ? [] : [cleared.call],
      });
      const blocks = row.blocks;
      this.#builder.message({ role: "user", origin: "summary", recordedOnly: true, ...timed(row), blocks });
      return;
    }
    const message = this.#builder.messageCount;
    this.#builder.message({
      role: "user",
      origin: isTyped ? "typed" : "context",
      ...timed(row),
      blocks: row.blocks,
    });
    if (isTyped) this.#prompt = { text: row.text, message };
  }

  /**
   * True for a prompt, and for the text that replaces a user's command. A prompt repeated by a compaction counts too; its first copy is then hidden
   * from the user as well.
   */
  #isTyped(position: number, row: Row): boolean {
    if (row.isTurnContext) return false;
    if (row.isForUser) return true;
    const before = this.#rows[position - 1];
    const isCommand = before?.role === "user" && before.isForUser && !before.isForModel && COMMAND.test(before.text);
    return isCommand || (!row.isForModel && this.#summaries.has(position + 1));
  }

  /** The hidden result that a sentence replaced: the one with the same time, or after the last compaction the oldest one. */
  #summarisedResult(position: number, row: Row): HiddenResult | undefined {
    const same = this.#hidden.find(({ at }) => at !== undefined && at === row.at);
    return same ?? (position > this.#lastSummary ? this.#hidden[0] : undefined);
  }
}

function timed({ line, at }: Row): Pick<Message, "line" | "at"> {
  return { line, ...(at === undefined ? {} : { at }) };
}

/** The sentence after a summary states its cause. Source: README.md, "Traps". */
function triggerOf(sentence: string): CompactionTrigger | undefined {
  if (sentence.includes("at the user's request")) return "manual";
  if (sentence.includes("Continue calling tools")) return "overflow";
  return /(?:[Cc]ontinue the conversation|Continue the session)/.test(sentence) ? "auto" : undefined;
}
