/** The pages and every API route are separate bundles with their own copies of modules; through this symbol they share one server. */
const PLACE = Symbol.for("context-replay.server");

interface Closable {
  close(): Promise<void>;
}

const shared: typeof globalThis & { [PLACE]?: Closable } = globalThis;

/** The process's server. @param make makes it on first use; all copies make the same class */
export function sharedServer<S extends Closable>(make: () => S): S {
  const server = (shared[PLACE] as S | undefined) ?? make();
  shared[PLACE] = server;
  return server;
}

/** Ends the process's server, if there is one, without loading it. */
export async function closeServer(): Promise<void> {
  await shared[PLACE]?.close();
  delete shared[PLACE];
}
