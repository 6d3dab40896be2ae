import {
  type SetValues,
  type UseQueryStatesKeysMap,
  type UseQueryStatesOptions,
  type UseQueryStatesReturn,
  useQueryStates,
} from "nuqs";
import { useCallback, useRef } from "react";
import { URL_OPTIONS } from "./url-state";

/** Effect of an update on the browser's history: a new step, or part of the last one. */
type HistoryMode = "push" | "replace";

/** Updates of one kind within this time of each other are one step: a held key, a wheel, walking through items. */
const TOGETHER_MS = 1000;

/**
 * Decides which updates of the address are steps that Back undoes. While a pointer is held, all updates of one kind are one step, so that Back after
 * a drag returns to its start. Updates of one kind in quick succession are one step too.
 */
export class HistorySteps {
  #last: string | undefined;
  #at = 0;
  #presses = 0;
  #pressOfLast = 0;
  #isHeld = false;
  /** True if the last update was the first of its press: a click, or the result of a drag. */
  #wasClick = false;

  press(): void {
    this.#presses += 1;
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** The browser went back or forward: the next update is a new step. */
  moved(): void {
    this.#last = undefined;
  }

  /**
   * The effect of an update on the history.
   * @param what kind of update: dragging one slider is another kind than dragging another one
   * @param now in ms
   */
  mode(what: string, now: number): HistoryMode {
    const isSame = what === this.#last && this.#pressOfLast === this.#presses;
    const continues = isSame && (this.#isHeld || (now - this.#at < TOGETHER_MS && !this.#wasClick));
    this.#wasClick = this.#pressOfLast !== this.#presses;
    this.#last = what;
    this.#at = now;
    this.#pressOfLast = this.#presses;
    return continues ? "replace" : "push";
  }
}

const steps = new HistorySteps();
if (typeof window !== "undefined") {
  // The press counts before its updates, and its end after them.
  window.addEventListener("pointerdown", () => steps.press(), { capture: true });
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => steps.release());
  window.addEventListener("popstate", () => steps.moved());
}

/** A part of the page's state in the address. Every change by the user is a step of the browser's history, so Back undoes it. */
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
