import { InputError, systemCode } from "@/lib/server/base/input-error";
import { CliError, EXIT } from "../process/exit";
import { lastPart } from "./standard-input";

/** The error for a file that cannot be written; other errors stay as they are. */
export function cannotWrite(path: string, error: unknown): unknown {
  // Read errors have their own message.
  const code = error instanceof InputError ? undefined : systemCode(error);
  if (code === undefined) return error;
  const reason = code === "EEXIST" ? "it already exists" : code;
  return new CliError(EXIT.unreadable, `${lastPart(path)} cannot be written: ${reason}.`);
}
