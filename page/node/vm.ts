/** Calls with a limit of time, as the unpacking of Zstandard makes them. A page's worker has no such limit: whoever closes the page ends it. */
export class Script {
  runInContext(context: { readonly work?: () => void }): void {
    context.work?.();
  }
}

export function createContext<Context>(context: Context): Context {
  return context;
}
