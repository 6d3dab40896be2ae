import { systemCode } from "./input-error";

/** Reason why the store or the list rejects a request. */
export type RefusalReason = "malformed" | "not-allowed" | "unknown" | "too-large" | "not-writable" | "no-room";

/** A rejection in one sentence. The sentence is shown, so it never holds a path or text of a transcript. */
export class RefusedError extends Error {
  override name = "RefusedError";
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}

/** True for a `RefusedError`, including one from another bundle of this process. */
export function isRefused(error: unknown): error is RefusedError {
  return error instanceof Error && error.name === "RefusedError";
}

/**
 * The rejection for a failed write to the file system; other errors stay as they are.
 * @param consequence as "the file was not kept"
 */
export function diskRefusal(error: unknown, consequence: string): unknown {
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new RefusedError("no-room", `There is no room left on the disk, so ${consequence}.`);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new RefusedError("not-writable", `The data folder may not be written to, so ${consequence}.`);
  return error;
}
