import { closeSync, constants, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { basename } from "node:path";
import { InputError, inputErrorOf } from "./input-error";

/** An ordinary file that is open for reading, with its state from just before. */
interface OrdinaryFile {
  readonly fd: number;
  readonly stat: Stats;
}

/**
 * Opens an ordinary file for reading. Nothing else is opened: a named pipe without a writer would block the process for good, and opening a device
 * may have an effect. Throws `InputError`, which names the kind of file.
 */
export function openOrdinaryFile(path: string): OrdinaryFile {
  const name = basename(path);
  try {
    const stat = statSync(path);
    requireOrdinary(stat, name);
    // If a pipe has replaced it in the meantime, this flag keeps opening and reading from blocking. Windows has no such flag.
    return { fd: openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), stat };
  } catch (error) {
    throw inputErrorOf(error, name);
  }
}

/** All text of an ordinary file. Throws `InputError`. */
export function ordinaryText(path: string): string {
  const { fd } = openOrdinaryFile(path);
  try {
    return readFileSync(fd, "utf8");
  } catch (error) {
    throw inputErrorOf(error, basename(path));
  } finally {
    closeSync(fd);
  }
}

function requireOrdinary(stat: Stats, name: string): void {
  if (!stat.isFile()) throw new InputError("not-a-file", `${name} is ${kindOf(stat)}, not a file.`);
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a named pipe";
  if (stat.isSocket()) return "a socket";
  return stat.isCharacterDevice() || stat.isBlockDevice() ? "a device" : "something else";
}
