import { useRef, useSyncExternalStore } from "react";

/** An object of state outside of React. Its listeners read the fields that they need. */
export interface Store<State> {
  readonly get: () => State;
  /** Changes fields. Listeners are called if a field has a new value. */
  readonly set: (next: Partial<State>) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

export function createStore<State>(first: State): Store<State> {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (next) => {
      if (isWithin(next, state)) return;
      state = { ...state, ...next };
      for (const changed of listeners) changed();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

function isWithin<State>(fields: Partial<State>, state: State): boolean {
  for (const field in fields) if (!Object.is(fields[field], state[field])) return false;
  return true;
}

/** Reads fields of a store, or a function's selection of it. The component renders again only if one of them changes. */
export interface ReadStore<State> {
  <Value>(select: (state: State) => Value): Value;
  <Field extends keyof State>(...fields: readonly Field[]): Pick<State, Field>;
}

type Wanted<State> = readonly (keyof State | ((state: State) => unknown))[];

/** Makes the hook that reads a store. @param useStore returns the store */
export function storeHook<State>(useStore: () => Store<State>): ReadStore<State> {
  function useRead(...wanted: Wanted<State>): unknown {
    const { subscribe, get } = useStore();
    const last = useRef<Selected>(undefined);
    const read = () => {
      last.current = selected(get(), wanted, last.current);
      return last.current.result;
    };
    return useSyncExternalStore(subscribe, read, read);
  }
  // `selected` returns the type in the signature: the result of the one function, or an object of the fields.
  return useRead as ReadStore<State>;
}

interface Selected {
  readonly values: readonly unknown[];
  readonly result: unknown;
}

/** The requested fields of a state. Returns `last` itself if none of them has changed, so that React sees the same object. */
export function selected<State>(state: State, wanted: Wanted<State>, last: Selected | undefined): Selected {
  const values = wanted.map((part) => (typeof part === "function" ? part(state) : state[part]));
  if (last !== undefined && values.every((value, at) => Object.is(value, last.values[at]))) return last;
  const isField = typeof wanted[0] !== "function";
  return { values, result: isField ? Object.fromEntries(wanted.map((field, at) => [field, values[at]])) : values[0] };
}
