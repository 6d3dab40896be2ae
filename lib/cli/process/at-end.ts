const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Has something removed if the program ends before its work is done: by a signal, or since nobody reads its output any more.
 * @param remove is called once at most, and must not wait for anything
 * @returns takes that back
 */
export function removeAtEnd(remove: () => void): () => void {
  const forget = () => {
    process.off("exit", end);
    for (const signal of SIGNALS) process.off(signal, endBy);
  };
  const end = () => {
    forget();
    remove();
  };
  const endBy = (signal: NodeJS.Signals) => {
    end();
    // Nobody listens to it any more, so now it ends the program.
    process.kill(process.pid, signal);
  };
  process.once("exit", end);
  for (const signal of SIGNALS) process.once(signal, endBy);
  return forget;
}
