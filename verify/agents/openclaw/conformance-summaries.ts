import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { type JsonObject, objectOf, textOf } from "@/lib/agents/openclaw/messages/value";
import { type Preparation, safeguardCompaction } from "@/lib/agents/openclaw/summary/summary-prompt";
import {
  type SummaryCall,
  summarizeInStages,
  summarizeWithFallback,
} from "@/lib/agents/openclaw/summary/summary-stages";
import { AnswerWithCalls } from "@/verify/golden";
import { messagesOf, numberOrNothing, partsOf, textSet } from "./conformance-input";

/** Runs a golden case that calls the summarising model. */

export async function stages(input: JsonObject): Promise<AnswerWithCalls> {
  const messages = messagesOf(input.messages);
  const model = new FakeModel(messages, textOf(input.failure) ?? "none");
  const plan = {
    messages,
    maxChunkTokens: Number(input.maxChunkTokens),
    window: Number(input.contextWindow),
    reserveTokens: Number(input.reserveTokens),
    instructions: textOf(input.customInstructions),
    previousSummary: textOf(input.previousSummary),
    parts: partsOf(input),
    minMessagesForSplit: numberOrNothing(input.minMessagesForSplit),
  };
  const run = input.function === "summarizeInStages" ? summarizeInStages : summarizeWithFallback;
  return new AnswerWithCalls(await run(plan, model.call), model.calls);
}

/** Constants with which the program ran the cases. */
const CASE_ENTRY_ID = "k1";
const CASE_RESERVE = 20_000;
const CASE_WINDOW = 200_000;

export async function safeguard(input: JsonObject): Promise<AnswerWithCalls> {
  const messages = messagesOf(input.messagesToSummarize);
  const turnPrefix = messagesOf(input.turnPrefixMessages);
  const model = new FakeModel([...messages, ...turnPrefix], textOf(input.failure) ?? "none");
  const preparationOfCase: Preparation = {
    messages,
    turnPrefix,
    isSplitTurn: input.isSplitTurn === true,
    firstKeptEntryId: CASE_ENTRY_ID,
    tokensBefore: numberOrNothing(input.tokensBefore),
    previousSummary: textOf(input.previousSummary),
    files: { read: textSet(input.read), written: textSet(input.written), edited: textSet(input.edited) },
    reserveTokens: numberOrNothing(input.reserveTokens) ?? CASE_RESERVE,
  };
  const runtime = objectOf(input.runtime);
  const modelWindow = Math.max(1, Math.floor(numberOrNothing(input.modelContextWindow) ?? CASE_WINDOW));
  const compaction = await safeguardCompaction(preparationOfCase, {
    call: input.noModel === true || input.noKey === true ? undefined : model.call,
    window: numberOrNothing(runtime.contextWindowTokens) ?? modelWindow,
    maxHistoryShare: numberOrNothing(runtime.maxHistoryShare) ?? 0.5,
    instructions: textOf(input.customInstructions),
  });
  return new AnswerWithCalls({ compaction }, model.calls);
}

/** A fake of the summarising model: it answers `S<n>` to its n-th call, or fails as the case says. */
class FakeModel {
  readonly calls: JsonObject[] = [];
  readonly #given: readonly AgentMessage[];
  readonly #failure: string;

  constructor(given: readonly AgentMessage[], failure: string) {
    this.#given = given;
    this.#failure = failure;
  }

  readonly call: SummaryCall = (request) => {
    const failed = this.#fails(this.calls.length + 1, request.messages);
    this.calls.push({
      messages: request.messages.map((message) => this.#described(message)),
      reserveTokens: request.reserveTokens,
      customInstructions: request.instructions ?? null,
      previousSummary: request.previousSummary ?? null,
      ...(failed ? { failed } : {}),
    });
    if (failed) throw new Error("the call fails");
    return `S${this.calls.length}`;
  };

  #described(message: AgentMessage): unknown {
    const index = this.#given.indexOf(message);
    return index >= 0 ? index : { text: message.content };
  }

  #fails(call: number, messages: readonly AgentMessage[]): boolean {
    const one = /^call #(\d+) fails$/.exec(this.#failure)?.[1];
    const range = /^calls (\d+)-(\d+) fail$/.exec(this.#failure);
    const size = /> (\d+) tokens fails$/.exec(this.#failure)?.[1];
    if (one !== undefined) return call === Number(one);
    if (range !== null) return call >= Number(range[1]) && call <= Number(range[2]);
    if (size !== undefined) return messages.some((message) => messageTokens(message, "as-documented") > Number(size));
    return this.#failure === "every call fails";
  }
}
