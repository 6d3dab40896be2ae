/** Calls with a time limit, as in the decompression of Zstandard: reports their begin and end, since a worker cannot end its own work. */
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
