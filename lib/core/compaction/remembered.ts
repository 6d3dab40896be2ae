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
