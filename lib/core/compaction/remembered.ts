import type { Tokens } from "../base/units";
import type { ContextView } from "./policy";
import type { Settings } from "./settings";

type Answer<T> = (view: ContextView, settings: Settings) => T;

/** The last answer for a view, and what it was given for. */
interface Given<T> {
  readonly request: number;
  readonly compactions: number;
  readonly settings: Settings;
  readonly answer: T;
}

/** The same answer, found once a request: a policy is asked whether it fires, and then to do so. */
export function remembered<T>(find: Answer<T>): Answer<T> {
  const last = new WeakMap<ContextView, Given<T>>();
  return (view, settings) => {
    const { request, compactions } = view;
    const known = last.get(view);
    if (known?.request === request && known.compactions === compactions && known.settings === settings) {
      return known.answer;
    }
    const answer = find(view, settings);
    last.set(view, { request, compactions, settings, answer });
    return answer;
  };
}

type Rule<T> = (window: Tokens, settings: Settings) => T;

/**
 * The same answer to the same window and settings, found once a replay: a policy is asked before every request, and looking up a
 * setting by its name takes longer than all the rest of the question.
 */
export function perSettings<T>(find: Rule<T>): Rule<T> {
  let last: { readonly window: Tokens; readonly settings: Settings; readonly answer: T } | undefined;
  return (window, settings) => {
    if (last === undefined || last.settings !== settings || last.window !== window) {
      last = { window, settings, answer: find(window, settings) };
    }
    return last.answer;
  };
}
