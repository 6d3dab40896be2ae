import { closeSync, constants, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { basename } from "node:path";
import { InputError, inputErrorOf } from "./input-error";

/** A regular file that is opened for reading, and its stat from just before. */
interface RegularFile {
  readonly fd: number;
  readonly stat: Stats;
}

/**
 * Opens a regular file for reading. Nothing else is opened: a named pipe without a writer would block the process for good, and opening a device
 * may have an effect. Throws `InputError`, which names the kind of file.
 */
export function openRegularFile(path: string): RegularFile {
  const name = basename(path);
  try {
    const stat = statSync(path);
    requireRegular(stat, name);
    // If a pipe has replaced it in the meantime, this flag keeps opening and reading from blocking. Windows has no such flag.
    return { fd: openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), stat };
  } catch (error) {
    throw inputErrorOf(error, name);
  }
}

/** All text of a regular file. Throws `InputError`. */
export function regularFileText(path: string): string {
  const { fd } = openRegularFile(path);
  try {
    return readFileSync(fd, "utf8");
  } catch (error) {
    throw inputErrorOf(error, basename(path));
  } finally {
    closeSync(fd);
  }
}

function requireRegular(stat: Stats, name: string): void {
  if (!stat.isFile()) throw new InputError("not-a-file", `${name} is ${kindOf(stat)}, not a file.`);
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a named pipe";
  if (stat.isSocket()) return "a socket";
  return stat.isCharacterDevice() || stat.isBlockDevice() ? "a device" : "something else";
}
