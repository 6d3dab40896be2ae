import type { Tokens } from "@/lib/core/base/units";
import type { DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { Boundary, ExtraRequest, Usage } from "@/lib/core/transcript/model";

/** Content of a request's body. */
export interface DraftRequest {
  readonly model: string | undefined;
  readonly overhead: readonly DraftOverhead[];
  readonly messages: readonly DraftMessage[];
  readonly session: string | undefined;
  /** The response that this request continues from: its messages are then only the new ones. Empty if its id is masked. */
  readonly previous: string | undefined;
  /** True if the record lacks the request's input: the request then continues the session's conversation. */
  readonly isWithoutContent?: boolean;
}

/** Content of a response's body. */
export interface DraftResponse {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly messages: readonly DraftMessage[];
  readonly usage: Usage | undefined;
  /** Final number of generated tokens, from a stream's last event. */
  readonly generated?: Tokens | undefined;
}

/** A change of history before a request, as the request's record states it. */
export interface StatedChange extends Pick<Boundary, "kind" | "trigger"> {
  readonly at: number | undefined;
  readonly tokensBefore: Tokens | undefined;
  readonly tokensAfter: Tokens | undefined;
}

/** One call of the API, as far as a record contains it. */
export interface Exchange {
  readonly request: DraftRequest | undefined;
  readonly response: DraftResponse | undefined;
  /** A further message of a conversation that is logged message by message. */
  readonly message?: DraftRequest | undefined;
  /** True if the API answered with an error, so that there is no response. */
  readonly failed: boolean;
  readonly at: number | undefined;
  /** In a trace, the keys of its span and of the parent span. */
  readonly span?: { readonly id: string | undefined; readonly parent: string | undefined };
  readonly stated?: readonly StatedChange[];
  /** True if the record says that the history in its request was compacted, then or before. */
  readonly compacted?: boolean;
  /** Names of fields whose values are not what the format says. */
  readonly odd?: readonly string[];
  /** A request outside of the context. */
  readonly extra?: Pick<ExtraRequest, "kind"> & { readonly [Key in "point" | "boundary"]: number | undefined } & {
    readonly furtherPass: boolean;
  };
  /** True if another session paid for the request. */
  readonly inherited?: boolean;
  /** True if the recorded output is only its beginning. */
  readonly partialOutput?: boolean;
}

/** Texts of an exchange in the order of their parts. */
export function textsOf({ request, message, response }: Exchange): readonly string[] {
  const input = request ?? message;
  const messages = [...(input?.messages ?? []), ...(response?.messages ?? [])];
  return [...(input?.overhead ?? []), ...messages.flatMap(({ blocks }) => blocks)].map(({ text }) => text);
}
