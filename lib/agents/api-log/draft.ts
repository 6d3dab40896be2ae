import type { Tokens } from "@/lib/core/base/units";
import type { DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { Usage } from "@/lib/core/transcript/model";

/** Content of a request's body. */
export interface DraftRequest {
  readonly model: string | undefined;
  readonly overhead: readonly DraftOverhead[];
  readonly messages: readonly DraftMessage[];
  readonly session: string | undefined;
  /** The response that this request continues from: its messages are then only the new ones. Empty if its id is masked. */
  readonly previous: string | undefined;
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

/** One call of the API, as far as a record contains it. */
export interface Exchange {
  readonly request: DraftRequest | undefined;
  readonly response: DraftResponse | undefined;
  /** A further message of a conversation that is logged message by message. */
  readonly message?: DraftRequest | undefined;
  /** True if the API answered with an error, so that there is no response. */
  readonly failed: boolean;
  readonly at: number | undefined;
}

/** Texts of an exchange in the order of their parts. */
export function textsOf({ request, message, response }: Exchange): readonly string[] {
  const asked = request ?? message;
  const messages = [...(asked?.messages ?? []), ...(response?.messages ?? [])];
  return [...(asked?.overhead ?? []), ...messages.flatMap(({ blocks }) => blocks)].map(({ text }) => text);
}

/**
 * Usage from a provider's numbers, with the cached part subtracted from the input if the provider includes it. `undefined` if no input is recorded.
 */
export function usageFrom(metrics: {
  readonly sent: Tokens | undefined;
  readonly cacheRead?: Tokens | undefined;
  readonly cacheWrite?: Tokens | undefined;
  readonly cacheWrite1h?: Tokens | undefined;
  readonly output: Tokens | undefined;
  readonly reasoning?: Tokens | undefined;
}): Usage | undefined {
  const { sent, cacheRead, cacheWrite, cacheWrite1h, output, reasoning } = metrics;
  if (sent === undefined) return undefined;
  return {
    input: Math.max(0, sent - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h }),
    ...(output === undefined ? {} : { output }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
