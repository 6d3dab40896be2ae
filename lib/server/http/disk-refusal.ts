import { systemCode } from "../base/input-error";
import { HttpError } from "./http-error";

/**
 * What a failure of the file system means for who sends something to be kept: 507 where there is no room, 503 where the folder may not be written to. Another
 * error stays what it is.
 * @param consequence as "the file was not kept"
 */
export function diskRefusal(error: unknown, consequence: string): unknown {
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new HttpError(507, `There is no room left on the disk, so ${consequence}.`);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new HttpError(503, `The data folder may not be written to, so ${consequence}.`);
  return error;
}
