"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import { assertDefined } from "@/lib/core/base/assert";

/** Place of the point under the pointer or the focus, among the sweep's; `null` for none. */
export interface Pointed {
  readonly get: () => number | null;
  readonly set: (index: number | null) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

/** Holds what is pointed at outside of what is drawn: a map of 1,600 cells is not drawn anew for one of them. */
export function createPointed(): Pointed {
  let at: number | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => at,
    set: (index) => {
      if (index === at) return;
      at = index;
      for (const changed of listeners) changed();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

const Context = createContext<Pointed | undefined>(undefined);

/** What is pointed at among the points of one map, its chart and its table. */
export function PointedProvider({ children }: { readonly children: ReactNode }) {
  const [pointed] = useState(createPointed);
  return <Context value={pointed}>{children}</Context>;
}

function usePointedStore(): Pointed {
  return assertDefined(useContext(Context), "Pointed");
}

/** Tells what is pointed at. */
export function usePoint(): Pointed["set"] {
  return usePointedStore().set;
}

/** The point that is pointed at. */
export function usePointed(): number | null {
  const { subscribe, get } = usePointedStore();
  return useSyncExternalStore(subscribe, get, () => null);
}

/** Whether it is this one: only the two that change are drawn again. */
export function useIsPointed(index: number): boolean {
  const { subscribe, get } = usePointedStore();
  return useSyncExternalStore(
    subscribe,
    () => get() === index,
    () => false,
  );
}
