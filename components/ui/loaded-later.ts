import { useSyncExternalStore } from "react";

/**
 * A module that is loaded when it is first wanted, and is there at once from then on. `React.lazy` would hold back what it shows for a third of a second
 * after it had nothing to show, whatever had come meanwhile.
 */
export function loadedLater<Module>(load: () => Promise<Module>) {
  let module: Module | undefined;
  let loading = false;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const start = async () => {
    if (loading) return;
    loading = true;
    try {
      module = await load();
      for (const listener of listeners) listener();
    } catch {
      loading = false; // The server is away; whoever wants it next asks again.
    }
  };
  return {
    start: () => void start(),
    /** The module, as soon as it is there; loaded if it is wanted. */
    useModule(wanted: boolean): Module | undefined {
      if (wanted) void start();
      return useSyncExternalStore(
        subscribe,
        () => module,
        () => undefined,
      );
    },
  };
}
