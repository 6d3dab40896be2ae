import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import { SettingError } from "@/lib/core/compaction/policy/settings";
import { ChoiceError } from "@/lib/queries/session/session-context";
import { EndpointChoiceError } from "@/lib/server/base/endpoint";
import { InputError } from "@/lib/server/base/input-error";
import { PricesError } from "@/lib/server/base/prices-file";
import { UnknownEstimatorError } from "@/lib/server/read/numbers/unknown-estimator-error";
import { EndpointError } from "@/lib/server/summarizer/endpoint-error";
import { printable } from "../text/printable";

/** The meaning of each exit code. Source: docs/interfaces.md, "Exit codes". */
export const EXIT = { done: 0, failed: 1, badArguments: 2, unreadable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with one sentence on standard error. */
export class CliError extends Error {
  override name = "CliError";
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** Writes a message to standard error. */
export function say(message: string): void {
  process.stderr.write(`context-replay: ${printable(message)}\n`);
}

/** Reports an error and returns its exit code. Prints a stack only for our own bugs, and only on request. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) {
    if (error.message !== "") say(error.message);
    return error.exitCode;
  }
  if (error instanceof InputError) {
    say(`${error.message}${offersOf(error)}`);
    return EXIT.unreadable;
  }
  if (
    [SettingError, ChoiceError, PolicyError, UnknownEstimatorError, PricesError].some((kind) => error instanceof kind)
  ) {
    say(messageOf(error));
    return EXIT.badArguments;
  }
  if (error instanceof EndpointChoiceError) {
    say(error.message);
    return EXIT.badArguments;
  }
  if (error instanceof EndpointError) {
    say(error.message);
    return EXIT.failed;
  }
  say(`internal error: ${messageOf(error)}`);
  if (process.env.CONTEXT_REPLAY_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return EXIT.failed;
}

/** Advice for a file whose format was not recognised. */
function offersOf({ formats }: InputError): string {
  if (formats.length === 0) return "";
  const found = formats.filter(({ messages }) => messages > 0).slice(0, 3);
  const offered = found.map(({ format, messages }) => `${format} (${messages} messages in the first records)`);
  return offered.length === 0
    ? " No format finds a message in its first records."
    : ` Try --format with one of: ${offered.join(", ")}.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for a command and sets the exit code. */
export async function end(running: Promise<ExitCode> | Promise<void>): Promise<void> {
  process.exitCode = (await running) || EXIT.done;
}
