import { Integers } from "@/lib/core/base/growing";
import type { Block, Usage } from "@/lib/core/transcript/model";

import { type NewNode, sentTokens } from "./nodes";

const EMPTY = 1;
const FILLED = 2;

/** The uuids of a file's records, by number. For each, it remembers if the record had content. */
export class SeenUuids {
  readonly #state = new Integers();
  /** The node of the last record with each uuid. */
  readonly #node = new Integers();

  has(id: number): boolean {
    return id >= 0 && this.#state.at(id) > 0;
  }

  /** True if there is a record with an id, and it had content. */
  hasContent(id: number): boolean {
    return this.has(id) && this.#state.at(id) === FILLED;
  }

  /** The node of a known record. */
  node(id: number): number {
    return this.#node.at(id);
  }

  see(id: number, filled: boolean, node: number): void {
    while (this.#state.length <= id) {
      this.#state.push(0);
      this.#node.push(0);
    }
    this.#state.set(id, filled ? FILLED : EMPTY);
    this.#node.set(id, node);
  }
}

/** A row of a response that has neither a message id nor a request id. */
interface UnnamedRow extends Omit<NewNode, "content"> {
  readonly index: number;
  readonly content: NewNode["content"] & { readonly kind: "response" };
}

/** Maximum milliseconds between rows of one response that all state its final usage. */
const WRITTEN_TOGETHER_MS = 1000;

/**
 * Keys for responses without a message id. Rows with one request id are one response. A row without a request id continues its parent row if both
 * have the same model and the same input tokens: a further request would have sent the answer too, and so more tokens.
 */
export class UnnamedResponses {
  readonly #byUuid = new Map<string, UnnamedRow & { readonly key: string }>();
  #last: (UnnamedRow & { readonly key: string }) | undefined;

  /** The key of a response's row, before it is added as node `index`. Keys begin with a null character, which no message id contains. */
  keyOf({ content, ...place }: NewNode, index: number): string | undefined {
    if (content.kind !== "response" || content.id !== undefined) return undefined;
    if (content.requestId !== undefined) return `\0${content.requestId}`;
    const last = this.#last?.index === index - 1 ? this.#last : undefined;
    const before = place.parent === undefined ? last : this.#byUuid.get(place.parent);
    const row = { ...place, content, index };
    const key = before !== undefined && isSameResponse(before, row) ? before.key : `\0#${index}`;
    this.#last = { ...row, key };
    if (place.uuid !== undefined) this.#byUuid.set(place.uuid, this.#last);
    return key;
  }
}

function isSameResponse(before: UnnamedRow, row: UnnamedRow): boolean {
  const [earlier, later] = [before.content, row.content];
  if (before.sidechain !== row.sidechain || earlier.model !== later.model) return false;
  const [one, other] = [earlier.usage, later.usage];
  if (earlier.isSettled) {
    const apart = Math.abs((row.at ?? Number.NaN) - (before.at ?? Number.NaN));
    if (!(apart < WRITTEN_TOGETHER_MS) || !isSameSent(one, other) || one?.output !== other?.output) return false;
    return !hasOtherText(earlier.blocks.at(-1), later.blocks[0]);
  }
  if ((one?.output ?? 0) > (other?.output ?? 0)) return false;
  return sentTokens(one) === 0 || isSameSent(one, other);
}

/**
 * True if neighbouring blocks of two ended rows are texts of different sizes: the model writes one text at a time, so they are two responses. A text
 * of the same size may be the same one, written twice. Source: README.md, "Traps".
 */
function hasOtherText(last: Block | undefined, first: Block | undefined): boolean {
  if (last?.kind !== "text" || first?.kind !== "text" || last.text.chars === 0 || first.text.chars === 0) return false;
  return last.text.chars !== first.text.chars || last.text.bytes !== first.text.bytes;
}

function isSameSent(one: Usage | undefined, other: Usage | undefined): boolean {
  const keys = ["input", "cacheRead", "cacheWrite"] as const;
  return keys.every((key) => one?.[key] === other?.[key]);
}
