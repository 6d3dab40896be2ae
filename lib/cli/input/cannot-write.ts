import { InputError, systemCode } from "@/lib/server/base/input-error";
import { CliError, EXIT } from "../process/exit";
import { lastPart } from "./standard-input";

/** The error for a file that could not be written; one that says something else stays what it is. */
export function cannotWrite(path: string, error: unknown): unknown {
  // What could not be read says so itself.
  const code = error instanceof InputError ? undefined : systemCode(error);
  if (code === undefined) return error;
  const reason = code === "EEXIST" ? "it is there already" : code;
  return new CliError(EXIT.unreadable, `${lastPart(path)} cannot be written: ${reason}.`);
}
