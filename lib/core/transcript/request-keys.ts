import { textHash } from "../base/text-hash";
import type { Transcript } from "./model";

/** Keys that identify a request in another file that holds a copy of it. */
export interface RequestKeys {
  /** From time, model and what was sent; NaN for a request without a time. The output is left out, since it may still have been growing. */
  readonly exact: Float64Array;
  /** From what was sent and answered alone, for copies with new times: only a whole sequence of equal keys is evidence. */
  readonly sizes: Float64Array;
}

/** Keys of the requests that recorded their usage, in order. */
export function requestKeys({ requests }: Pick<Transcript, "requests">): RequestKeys {
  const used = requests.filter(({ usage }) => usage !== undefined);
  return {
    exact: Float64Array.from(used, ({ at, model, usage }) =>
      at === undefined
        ? Number.NaN
        : textHash([at, model, usage?.input, usage?.cacheRead, usage?.cacheWrite].join(" ")),
    ),
    sizes: Float64Array.from(used, ({ usage }) =>
      textHash([usage?.input, usage?.cacheRead, usage?.cacheWrite, usage?.output].join(" ")),
    ),
  };
}
