import { textHash } from "../base/text-hash";
import type { SessionColumns } from "../columns/columns";
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

/** The same from columns. Equal to those of the transcript as far as the names of models are. */
export function columnKeys({ requests, tables }: Pick<SessionColumns, "requests" | "tables">): RequestKeys {
  const used = Array.from(requests.input, (_, request) => request).filter(
    (request) => (requests.input[request] ?? -1) >= 0,
  );
  const known = (column: Int32Array, request: number) => ((column[request] ?? -1) < 0 ? undefined : column[request]);
  const sent = (request: number) =>
    [requests.input, requests.cacheRead, requests.cacheWrite].map((column) => known(column, request));
  return {
    exact: Float64Array.from(used, (request) => {
      const at = requests.at[request] ?? Number.NaN;
      return Number.isNaN(at)
        ? at
        : textHash([at, tables.models[requests.model[request] ?? -1], ...sent(request)].join(" "));
    }),
    sizes: Float64Array.from(used, (request) =>
      textHash([...sent(request), known(requests.output, request)].join(" ")),
    ),
  };
}
