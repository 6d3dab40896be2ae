/**
 * Calls with a time limit, as the decompression of Zstandard makes them. A worker cannot end its own work, so the page is told when such a call begins and
 * ends.
 */
export class Script {
  runInContext(context: { readonly work?: () => void }, { timeout }: { readonly timeout: number }): void {
    tell({ within: timeout });
    try {
      context.work?.();
    } finally {
      tell({ within: null });
    }
  }
}

/** Maximum time of the call in ms; `null` when it has ended. */
export interface TimeLimit {
  readonly within: number | null;
}

function tell(limit: TimeLimit): void {
  self.postMessage(limit);
}

export function createContext<Context>(context: Context): Context {
  return context;
}
