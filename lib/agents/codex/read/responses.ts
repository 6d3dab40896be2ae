import { nameOf } from "@/lib/agents/shared/ids";
import type { Milliseconds, Tokens } from "@/lib/core/base/units";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { HeldTerms, processOf } from "@/lib/core/transcript/held-terms";
import type { ExtraRequest, RequestPoint, Usage } from "@/lib/core/transcript/model";
import { presetFor } from "../base/presets";
import { maskedBytes } from "../messages/masked";
import type { SessionMeta, TokenUsage, TurnContext, UsageRecord } from "./schema";
import { StatedUsages, type UsageSource } from "./stated-usages";
import { timeOf } from "./time";

/** Price terms of a request. */
type Terms = { readonly [Key in "effort" | "process" | "serviceTier" | "branch" | "folder"]?: string | undefined };

/** Position of a response's first item. */
interface FirstItem {
  readonly message: number;
  readonly record: SourceRecord;
  readonly at: Milliseconds | undefined;
}

/**
 * Writes the request points and assigns their usage.
 * A response is a run of items that the model made, and one `token_count` reports its usage. Until 0.58 that count comes before all of them, until
 * about 0.104 between the calls and their outputs, from 0.140 on after the outputs. The first response of a file shows its format: either its items
 * wait for a count, or its count waits for items.
 */
export class ResponseWriter {
  readonly #builder: TranscriptBuilder;
  #model: string | undefined;
  #effort: string | undefined;
  #cwd: string | undefined;
  #headers = 0;
  /** Branch and folder of the session, and the branch of the last header. */
  #home: Pick<SessionMeta, "branch" | "cwd"> | undefined;
  #branch: string | undefined;
  #copiedUntil: Milliseconds | undefined;
  readonly #held = new HeldTerms();
  readonly #stated = new StatedUsages();
  /** Ids of the responses with recorded usage. */
  readonly #paidIds = new Set<string>();
  /** The service tier in the thread's settings. */
  #tier: string | undefined;
  /** Number of request points so far. */
  #points = 0;
  /** The last request point while it has no items: the number of messages before it, and the response's id once that is known. */
  #bare: { readonly point: number; readonly message: number; id: string | undefined } | undefined;
  /** Terms of the last request point. */
  #pointTerms: Terms = {};
  /** True if further items of the model belong to the last request point. */
  #open = false;
  /** True if the last request point still waits for its usage. */
  #awaitsUsage = false;
  /** True if a count opened the last request point, so that its items follow. */
  #awaitsItems = false;
  /** The first of those items. */
  #first: FirstItem | undefined;
  /** Messages of masked reasoning in the current response, whose sizes are estimated. */
  #masked: number[] = [];
  /** Tokens of its unmasked reasoning. */
  #unmasked: Tokens = 0;
  /** Tokens of all its reasoning, if its usage came before its items. */
  #reasoning: Tokens | undefined;
  /** Request points since the turn began. */
  #inTurn = 0;
  /** Position of this file's counts, once a response has shown it. */
  #counts: "before" | "behind" | undefined;

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  /** Starts a turn: model, reasoning effort, working directory. */
  turn({ model, effort, cwd }: TurnContext): void {
    this.#model = model ?? this.#model;
    this.#effort = effort;
    this.#cwd = cwd ?? this.#cwd;
  }

  /**
   * Counts a header: each process that writes to the file begins with one. A header without a branch keeps the last one.
   * @param meta the session's own header; absent for that of an ancestor or of an unknown format
   */
  header(meta?: Pick<SessionMeta, "branch" | "cwd">): void {
    this.#headers += 1;
    this.#home ??= meta;
    this.#branch = meta?.branch ?? this.#branch;
  }

  /** Applies changed thread settings; without a tier, the usual one applies again. */
  settings(tier: unknown): void {
    this.#tier = tierOf(tier);
  }

  #terms(terms: Terms): Pick<RequestPoint, "terms"> {
    this.#pointTerms = terms;
    const held = this.#held.at(this.#held.index(terms));
    return held === undefined ? {} : { terms: held };
  }

  /** The last request point's terms with the service tier of its usage, which overrides the settings. */
  #billedTerms(tier: string | undefined): Pick<RequestPoint, "terms"> {
    if (tier === undefined) return {};
    return this.#terms({ ...this.#pointTerms, serviceTier: tierOf(tier) });
  }

  /** Marks requests up to this time as copied from another thread, which made them. */
  copies(until: Milliseconds | undefined): void {
    this.#copiedUntil = until;
  }

  /** Sets the release that wrote the following records. From 0.104 on, counts never come before their items. */
  version(version: string | undefined): void {
    if (presetFor(version) === "current") this.#counts = "behind";
  }

  /** Adds an item of the model, before its message is written. */
  item(record: SourceRecord, at: Milliseconds | undefined): void {
    this.#bare = undefined;
    const message = this.#builder.messageCount;
    if (!this.#open) this.#begin({ message, record, at });
    else if (this.#awaitsItems) this.#first ??= { message, record, at };
    this.#open = true;
  }

  /** Adds a reasoning message of the response after it was written, with its tokens; `undefined` if they were masked. */
  reasoning(message: number, tokens: Tokens | undefined): void {
    if (tokens === undefined) this.#masked.push(message);
    else this.#unmasked += tokens;
    this.#estimate(this.#reasoning);
  }

  /** Adds an item that the model did not make: an output or context. It ends the response, unless further calls of the same response follow. */
  between(): void {
    this.#bare = undefined;
    this.#learnOrder();
    if (this.#first === undefined) this.#open = false;
    this.#awaitsItems = this.#open;
  }

  /** Starts a turn whose usage the file states only as a sum over all its requests. */
  turnBegins(): void {
    this.end();
    this.#inTurn = 0;
  }

  /** Adds the sum of all requests since the turn began. */
  turnSum(usage: Usage, record: SourceRecord): void {
    this.end();
    if (this.#inTurn === 0) this.#begin({ message: this.#builder.messageCount, record, at: timeOf(record.value) });
    // A sum of several requests is not the size of a context, so it becomes an extra pass of the last of them.
    if (this.#inTurn === 1) this.#builder.amendRequest({ usage });
    else {
      const model = this.#model === undefined ? {} : { model: this.#model };
      this.#builder.extraRequest({ kind: "pass", point: this.#points - 1, line: record.line, usage, ...model });
    }
    this.end();
    this.#inTurn = 0;
  }

  /** Ends the response: nothing that follows belongs to it. */
  end(): void {
    this.#learnOrder();
    this.#close();
  }

  /** Learns the position of this file's counts from a response whose items came after its count. */
  #learnOrder(): void {
    if (this.#first !== undefined) this.#counts ??= "before";
  }

  #close(): void {
    this.#open = false;
    this.#awaitsUsage = false;
    this.#awaitsItems = false;
    this.#first = undefined;
  }

  /** Reads a `token_count`. It counts as a request if the running total changed and something was sent; after a compaction it is an estimate. */
  count(usage: UsageRecord, record: SourceRecord): void {
    const changes = this.#stated.changes({ source: "token_count", total: usage.total });
    if (this.#isSent("token_count", usage, record) && changes) this.#pay("token_count", usage, record);
  }

  /** Reads a `token_usage_record`, which releases from 0.151 on write after a response, in addition to its count or instead of it. */
  usageRecord(usage: UsageRecord, record: SourceRecord): void {
    this.#counts ??= "behind";
    const { id, total } = usage;
    const changes = this.#stated.changes({ source: "token_usage_record", total });
    if (id === undefined ? !changes : this.#paidIds.has(id)) return;
    if (id !== undefined) this.#paidIds.add(id);
    if (this.#isSent("token_usage_record", usage, record)) this.#pay("token_usage_record", usage, record);
  }

  #isSent(source: UsageSource, { last }: UsageRecord, { line }: SourceRecord): boolean {
    if (last.input_tokens > 0) return true;
    if ((last.total_tokens ?? 0) > 0) this.#builder.problem("pseudo-usage", line, source);
    return false;
  }

  #pay(source: UsageSource, { id, last, total, tier }: UsageRecord, record: SourceRecord): void {
    const stated = { source, last, total, at: timeOf(record.value) };
    const paid = this.#stated.paid(stated);
    if (paid === undefined) {
      this.#giveUsage(usageOf(last), tier, record);
      this.#stated.wait(stated, this.#points);
    } else if (paid === this.#points && tier !== undefined) this.#builder.amendRequest(this.#billedTerms(tier));
    // A count has no id; the record of the same response gives it one.
    if (id !== undefined && this.#bare?.point === (paid ?? this.#points)) this.#bare.id = id;
  }

  /**
   * Removes the response that made a compaction's summary, if it is the last one and none of its items are in the history: it is not a request of the
   * conversation.
   * @returns the response as the compaction's own call
   */
  compactionCall(id: string | undefined): ExtraRequest | undefined {
    const bare = this.#bare;
    if (id === undefined || bare?.id !== id || bare.point !== this.#points) return undefined;
    if (bare.message !== this.#builder.messageCount) return undefined;
    this.end();
    this.#bare = undefined;
    this.#points -= 1;
    this.#inTurn -= 1;
    const { message: _, ...request } = this.#builder.takeBackRequest();
    return { kind: "compaction", ...request };
  }

  #giveUsage(usage: Usage, tier: string | undefined, record: SourceRecord): void {
    const first = this.#first;
    const billed = billedAt(record);
    if (this.#awaitsUsage && this.#counts !== "before") {
      this.#giveUsageBehind(usage, () => this.#builder.amendRequest({ usage, ...billed, ...this.#billedTerms(tier) }));
    }
    // Two counts with only items between them: the first belonged to a response without items.
    else if (first !== undefined && this.#counts === undefined)
      this.#giveUsageBehind(usage, () => this.#request(first, usage, billed, tier));
    else {
      this.#close();
      this.#begin({ message: this.#builder.messageCount, record, at: timeOf(record.value) }, usage, tier);
      this.#bare = { point: this.#points, message: this.#builder.messageCount, id: undefined };
      this.#open = this.#counts !== "behind";
      this.#awaitsItems = this.#open;
    }
  }

  #giveUsageBehind(usage: Usage, give: () => void): void {
    this.#counts = "behind";
    give();
    this.#estimate(usage.reasoning);
    this.#close();
  }

  /** Sets the size of the response's masked reasoning. */
  #estimate(reasoning: Tokens | undefined): void {
    if (reasoning === undefined || this.#masked.length === 0) return;
    const sizes = maskedBytes(this.#masked.length, reasoning, this.#unmasked);
    for (const [index, message] of this.#masked.entries()) this.#builder.estimate(message, sizes[index] ?? 0);
  }

  #begin(first: FirstItem, usage?: Usage, tier?: string): void {
    this.#masked = [];
    this.#unmasked = 0;
    this.#reasoning = usage?.reasoning;
    this.#request(first, usage, {}, tier);
  }

  #request(
    { message, record, at }: FirstItem,
    usage: Usage | undefined,
    billed: Pick<RequestPoint, "billedAt">,
    tier: string | undefined,
  ): void {
    this.#awaitsUsage = usage === undefined;
    this.#inTurn += 1;
    this.#points += 1;
    this.#builder.request({
      message,
      line: record.line,
      at,
      model: this.#model,
      usage,
      ...billed,
      ...this.#terms({
        effort: this.#effort,
        process: processOf(`${this.#headers}`, this.#cwd),
        branch: this.#branch === this.#home?.branch ? undefined : this.#branch,
        folder: this.#cwd === this.#home?.cwd ? undefined : nameOf(this.#cwd),
        serviceTier: tier === undefined ? this.#tier : tierOf(tier),
      }),
      ...((at ?? Number.NaN) < (this.#copiedUntil ?? Number.NaN) ? { inherited: true } : {}),
    });
  }
}

/** The time of a count that comes after the items it reports on. */
function billedAt(record: SourceRecord): Pick<RequestPoint, "billedAt"> {
  const at = timeOf(record.value);
  return at === undefined ? {} : { billedAt: at };
}

/** Tiers at the listed price; `auto` leaves the choice to the project, which is the usual tier unless changed. */
const USUAL_TIERS = new Set(["default", "standard", "auto"]);

function tierOf(value: unknown): string | undefined {
  return typeof value === "string" && !USUAL_TIERS.has(value) ? value : undefined;
}

/** `input_tokens` includes the cached part; ours does not. Absent fields stay absent. */
export function usageOf(last: TokenUsage): Usage {
  const { cached_input_tokens: cacheRead, cache_write_input_tokens: cacheWrite } = last;
  return {
    input: Math.max(0, last.input_tokens - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: last.output_tokens,
    reasoning: last.reasoning_output_tokens,
  };
}
