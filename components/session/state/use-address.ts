import {
  type SetValues,
  type UseQueryStatesKeysMap,
  type UseQueryStatesOptions,
  type UseQueryStatesReturn,
  useQueryStates,
} from "nuqs";
import { useCallback, useRef } from "react";
import { HistorySteps } from "./history-step";
import { URL_OPTIONS } from "./url-state";

/** The steps of this window. */
const steps = new HistorySteps();
if (typeof window !== "undefined") {
  // The press counts before what it changes, and its end after.
  window.addEventListener("pointerdown", () => steps.press(), { capture: true });
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => steps.release());
  window.addEventListener("popstate", () => steps.moved());
}

/** A part of the page's state that stands in the address. Every change that a person makes is a step of the browser's history, so Back undoes it. */
export function useAddress<Parsers extends UseQueryStatesKeysMap>(
  parsers: Parsers,
  options: Partial<UseQueryStatesOptions<Parsers>> = {},
): UseQueryStatesReturn<Parsers> {
  const [values, update] = useQueryStates(parsers, { ...URL_OPTIONS, ...options });
  const latest = useRef(values);
  latest.current = values;
  const stepped = useCallback<SetValues<Parsers>>(
    (next, called) => {
      const wanted = typeof next === "function" ? next(latest.current) : next;
      const keys = Object.keys(wanted ?? parsers);
      const isSame = keys.every((key) => (wanted?.[key] ?? parsers[key]?.defaultValue ?? null) === latest.current[key]);
      const history = isSame ? "replace" : steps.mode(keys.join(" "), performance.now());
      return update(next, { history, ...called });
    },
    [parsers, update],
  );
  return [values, stepped];
}
