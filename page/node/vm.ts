/** Calls with a limit of time, as the unpacking of Zstandard makes them. A worker cannot end its own work, so the page is told when such a call begins and when it is over. */
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

/** How many milliseconds the call that begins may take; `null` where it is over. */
export interface TimeLimit {
  readonly within: number | null;
}

function tell(limit: TimeLimit): void {
  self.postMessage(limit);
}

export function createContext<Context>(context: Context): Context {
  return context;
}
