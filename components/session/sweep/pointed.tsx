import { type ReactNode, useState, useSyncExternalStore } from "react";
import { requiredContext } from "@/components/hooks/required-context";

/** The pointed or focused point, by its position among the sweep's; `null` for none. */
interface Pointed {
  readonly get: () => number | null;
  readonly set: (index: number | null) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

/** Keeps the pointed point outside of what React draws, so that a map of 1,600 cells is not drawn again for one of them. */
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

const [Context, usePointedStore] = requiredContext<Pointed>("Pointed");

/** Shares the pointed point among one map, its chart and its table. */
export function PointedProvider({ children }: { readonly children: ReactNode }) {
  const [pointed] = useState(createPointed);
  return <Context value={pointed}>{children}</Context>;
}

/** Returns the function that sets the pointed point. */
export function usePointAt(): Pointed["set"] {
  return usePointedStore().set;
}

/** The pointed point. */
export function usePointed(): number | null {
  const { subscribe, get } = usePointedStore();
  return useSyncExternalStore(subscribe, get, () => null);
}

/** Whether this point is the pointed one. When that changes, only the two points concerned are drawn again. */
export function useIsPointed(index: number): boolean {
  const { subscribe, get } = usePointedStore();
  return useSyncExternalStore(
    subscribe,
    () => get() === index,
    () => false,
  );
}
