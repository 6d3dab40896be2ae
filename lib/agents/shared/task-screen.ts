import { isObject, type JsonObject, listOf, objectOf, objectsOf, parsedOr, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import type { Usage } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** The file `ui_messages.json` beside a task's list: what the editor showed, with the usage of every request. */
export const TASK_SCREEN: NonNullable<Reader["companion"]> = {
  of: "api_conversation_history.json",
  name: "ui_messages.json",
};

/** Place of a response: its position in the list, and its time if it has one. */
interface ResponsePlace {
  readonly index: number;
  readonly at: number | undefined;
}

/** Positions in the list that a truncation removed, both included. */
type DeletedRange = readonly [from: number, to: number];

interface ShownRequest {
  readonly began: number;
  /** Position of the newest message in the list when it began; absent for Roo Code. */
  readonly after: number | undefined;
  readonly usage: JsonObject;
  /** Removed when it was sent. */
  deleted: DeletedRange | undefined;
}

/** `retryStatus` is about attempts. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  ...["tokensIn", "tokensOut", "cacheWrites", "cacheReads", "cost"],
  "retryStatus",
]);

/** Requests, truncations and sizes of compactions that a task's screen shows. */
export class TaskScreen {
  readonly #requests: readonly ShownRequest[];
  readonly #sizes: ReadonlyMap<unknown, JsonObject>;
  readonly #isCacheApart: boolean;
  #next = 0;

  /**
   * @param text the file; `undefined` if there is none
   * @param isCacheApart true if the input never includes the cached part; otherwise a request that has less input than that tells
   */
  constructor(text: string | undefined, isCacheApart: boolean) {
    const shown = objectsOf(text === undefined ? undefined : parsedOr(text));
    this.#requests = requestsIn(shown);
    const changes = shown.flatMap(({ contextCondense, contextTruncation }) =>
      [contextCondense, contextTruncation].filter(isObject),
    );
    this.#sizes = new Map(changes.map((change) => [change.condenseId ?? change.truncationId, change]));
    this.#isCacheApart = isCacheApart || this.#requests.some(({ usage }) => numberOf(usage.tokensIn) < cachedOf(usage));
  }

  /** The request of a response: the last one that began before it, and after the response before. Call it once for each response, in order. */
  request({ index, at = Number.NaN }: ResponsePlace): ShownRequest | undefined {
    let found: ShownRequest | undefined;
    for (let next = this.#requests[this.#next]; next !== undefined; next = this.#requests[this.#next]) {
      const isBefore = next.after === undefined ? next.began <= at : next.after < index;
      if (!isBefore) break;
      found = next;
      this.#next += 1;
    }
    return found;
  }

  /** Usage of a request; `undefined` for one without, or of zeros, as a broken-off one has. */
  usageOf({ usage }: ShownRequest, numbers: RecordNumbers): Usage | undefined {
    numbers.unknownUsage(usage, KNOWN_FIELDS);
    const input = numbers.tokens(usage.tokensIn, "tokensIn");
    const output = numbers.tokens(usage.tokensOut, "tokensOut");
    const cacheWrite = numbers.tokens(usage.cacheWrites, "cacheWrites");
    const cacheRead = numbers.tokens(usage.cacheReads, "cacheReads");
    const ownCost = numbers.dollars(usage.cost, "cost");
    const cached = (cacheWrite ?? 0) + (cacheRead ?? 0);
    if (input === undefined || input + cached + (output ?? 0) === 0) return undefined;
    // The other protocol's input includes the cached part in every release.
    const isApart = (this.#isCacheApart && usage.apiProtocol !== "openai") || input < cached;
    return { input: isApart ? input : input - cached, cacheRead, cacheWrite, output, ownCost };
  }

  /** Sizes of a summary or a truncation, by its id. */
  sizesOf(
    id: unknown,
    numbers: RecordNumbers,
  ): { tokensBefore?: Tokens | undefined; tokensAfter?: Tokens | undefined } {
    const change = this.#sizes.get(id);
    if (id === undefined || change === undefined) return {};
    return {
      tokensBefore: numbers.tokens(change.prevContextTokens, "prevContextTokens"),
      tokensAfter: numbers.tokens(change.newContextTokens, "newContextTokens"),
    };
  }
}

/** A truncation comes after its request is shown as begun, so the messages that follow have its range first. */
function requestsIn(shown: readonly JsonObject[]): readonly ShownRequest[] {
  const requests: ShownRequest[] = [];
  for (const { ts, say, text, conversationHistoryIndex: after, conversationHistoryDeletedRange: range } of shown) {
    const deleted = rangeOf(range);
    const last = requests.at(-1);
    if (say === "api_req_started")
      requests.push({
        began: numberOf(ts),
        after: typeof after === "number" ? after : undefined,
        usage: objectOf(parsedOr(textOf(text))),
        deleted,
      });
    else if (last !== undefined && deleted !== undefined) last.deleted = deleted;
  }
  return requests;
}

function rangeOf(value: unknown): DeletedRange | undefined {
  const [from, to] = listOf(value);
  return typeof from === "number" && typeof to === "number" ? [from, to] : undefined;
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

function cachedOf({ cacheWrites, cacheReads }: JsonObject): number {
  return (typeof cacheWrites === "number" ? cacheWrites : 0) + (typeof cacheReads === "number" ? cacheReads : 0);
}
