import type { Answer, JsonName } from "@/lib/queries/contract/types";

/** Writes to standard output and waits until the reader took it, so that long output needs little memory. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Prints the answer to a query: the API's JSON with `--json`, else text. */
export function writeAnswer<Name extends JsonName>(
  answer: Answer<Name>,
  { json }: { readonly json?: boolean | undefined },
  text: (answer: Answer<Name>) => string,
): Promise<void> {
  return write(json ? `${JSON.stringify(answer)}\n` : text(answer));
}

/**
 * Ends the program quietly if the reader of standard output closed the pipe. A closed standard error is ignored: the dashboard would report the write
 * error there, which fails again, for ever.
 */
export function allowClosedPipes(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`context-replay: standard output cannot be written to (${error.code ?? "unknown reason"}).\n`);
    process.exit(1);
  });
}
