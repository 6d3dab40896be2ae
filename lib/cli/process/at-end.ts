const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Registers a removal for when the program ends early: by a signal, or because its output is closed.
 * @param remove is called at most once, and must not wait for anything
 * @returns a function that cancels the registration
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
    // No other listener is left, so the signal now ends the program.
    process.kill(process.pid, signal);
  };
  process.once("exit", end);
  for (const signal of SIGNALS) process.once(signal, endBy);
  return forget;
}
