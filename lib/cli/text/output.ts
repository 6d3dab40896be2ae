import type { Answer, JsonName } from "@/lib/queries/contract/types";

/** Writes to standard output and waits until the reader took it, so that long output needs little memory. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Prints the answer to a query: with `--json` what the API answers, else a text. */
export function writeAnswer<Name extends JsonName>(
  answer: Answer<Name>,
  { json }: { readonly json?: boolean | undefined },
  text: (answer: Answer<Name>) => string,
): Promise<void> {
  return write(json ? `${JSON.stringify(answer)}\n` : text(answer));
}

/**
 * Takes a reader that closed a pipe for one that has seen enough. Who reads no messages loses these alone: the dashboard's own report of an error that nobody
 * reads would be the next such error, for ever.
 */
export function allowClosedPipes(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`context-replay: standard output cannot be written to (${error.code ?? "unknown reason"}).\n`);
    process.exit(1);
  });
}
