import { isUtf8 } from "node:buffer";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { createTwoFilesPatch } from "diff";
import { z } from "zod";
import { digest } from "@/lib/server/base/digest";
import { inputErrorOf, systemCode } from "@/lib/server/base/input-error";
import { openRegularFile } from "@/lib/server/base/regular-file";
import { CliError, EXIT } from "../process/exit";
import { printable } from "../text/printable";

/** A change of another program's settings file that a command proposes. Nothing is written before `writeChange`. */
export interface SettingsChange {
  /** The real file: links are resolved, so that a link to another place remains a link. */
  readonly path: string;
  /** Command that makes the change, as in `install statusline`: only the same command undoes it. */
  readonly by: string;
  /** Text of the file; `null` if there is none yet. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * Reads a settings file and proposes its changed text; an absent file counts as empty. Throws `InputError` or `CliError` if it cannot be read, is not
 * text, or `edit` refuses it.
 */
export function proposeChange(path: string, by: string, edit: (text: string) => string): SettingsChange {
  const real = realPathOf(path);
  const before = textOf(real);
  return { path: real, by, before, after: edit(before ?? "") };
}

/** The change as a unified diff for a terminal; empty if nothing changes. */
export function changeDiff({ path, before, after }: SettingsChange): string {
  if (before === after) return "";
  const patch = createTwoFilesPatch(path, path, before ?? "", after, "now", "changed", { context: 1 });
  const lines = patch.split("\n").slice(2);
  // A tab is indentation; it does not steer the terminal.
  return lines.map((line) => line.split("\t").map(printable).join("\t")).join("\n");
}

/**
 * Writes a proposed change: keeps a backup below the data folder, then replaces the file at once, with its permissions. Throws `CliError` and writes
 * nothing if the file is read-only or has changed since it was read.
 * @returns path of the backup; `undefined` if nothing changes or there was no file
 */
export function writeChange(change: SettingsChange, dataDir: string): string | undefined {
  const { path, by, before, after } = change;
  if (before === after) return undefined;
  const folder = backupsOf(path, dataDir);
  const number = (backupNumbers(folder).at(-1) ?? 0) + 1;
  const backup = join(folder, String(number), basename(path));
  return guarded(path, () => {
    requireWritable(path, before);
    mkdirSync(join(folder, String(number)), { recursive: true, mode: 0o700 });
    if (before !== null) writeFileSync(backup, before, { mode: 0o600 });
    const record: BackupRecord = { path, by, existed: before !== null, written: digest(after) };
    writeFileSync(join(folder, String(number), RECORD), JSON.stringify(record), { mode: 0o600 });
    try {
      replaceFile(path, before, after);
    } catch (error) {
      rmSync(join(folder, String(number)), { recursive: true });
      throw error;
    }
    return before === null ? undefined : backup;
  });
}

/**
 * Restores a file to its state before the newest change by a command, or removes it if that change created it. Throws `CliError` and writes nothing
 * if the command changed nothing, another command changed the file later, or the file no longer has the changed content.
 * @returns the outcome
 */
export function undoChange(path: string, by: string, dataDir: string): "restored" | "removed" {
  const real = realPathOf(path);
  const folder = backupsOf(real, dataDir);
  const number = backupNumbers(folder).at(-1);
  const record = number === undefined ? undefined : recordIn(join(folder, String(number)));
  if (record === undefined) throw refusal(real, `there is no change by "${by}" to undo`);
  if (record.by !== by) throw refusal(real, `"${record.by}" changed it later; undo that first`);
  const now = textOf(real);
  const backup = join(folder, String(number), basename(real));
  if (now === null || digest(now) !== record.written) {
    const copy = record.existed ? ` A backup is in ${backup}.` : "";
    throw new CliError(EXIT.failed, `${real} has changed since; nothing was restored.${copy}`);
  }
  guarded(real, () => {
    requireWritable(real, now);
    if (record.existed) replaceFile(real, now, readFileSync(backup, "utf8"));
    else rmSync(real);
    rmSync(join(folder, String(number)), { recursive: true });
  });
  return record.existed ? "restored" : "removed";
}

const backupRecord = z.object({ path: z.string(), by: z.string(), existed: z.boolean(), written: z.string() });
type BackupRecord = z.infer<typeof backupRecord>;

/** File next to a backup that states the change. */
const RECORD = "change.json";

function recordIn(folder: string): BackupRecord | undefined {
  try {
    return backupRecord.parse(JSON.parse(readFileSync(join(folder, RECORD), "utf8")));
  } catch {
    return undefined; // A change that was cut off has none.
  }
}

function backupsOf(path: string, dataDir: string): string {
  return join(dataDir, "backups", digest(path));
}

/** Numbers of a file's backups, oldest first. */
function backupNumbers(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter(Number.isInteger)
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw inputErrorOf(error, basename(path));
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw refusal(path, "it is a link to a missing file");
  return resolve(path);
}

function textOf(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const { fd } = openRegularFile(path);
  try {
    const bytes = readFileSync(fd);
    // Decoding replaces invalid bytes, and writing them back would lose them.
    if (!isUtf8(bytes)) throw refusal(path, "it is not UTF-8 text");
    return bytes.toString("utf8");
  } finally {
    closeSync(fd);
  }
}

function requireWritable(path: string, before: string | null): void {
  if (before === null) return;
  // An administrator may write everything, so the permissions themselves are checked too.
  if ((statSync(path).mode & 0o222) === 0) throw refusal(path, "it is read-only");
  accessSync(path, constants.W_OK);
}

/** Replaces a file at once by a rename; its permissions stay. */
function replaceFile(path: string, before: string | null, after: string): void {
  const temporary = `${path}.context-replay-${process.pid}.tmp`;
  const mode = before === null ? 0o600 : statSync(path).mode & 0o7777;
  const fd = openSync(temporary, "wx", 0o600);
  try {
    try {
      writeFileSync(fd, after);
      fchmodSync(fd, mode);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (textOf(path) !== before) throw refusal(path, "it changed in the meantime; run the command again");
    // A link fails if the file has appeared in the meantime; a rename would replace it.
    if (before === null) linkSync(temporary, path);
    else renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Turns an error of the file system into one sentence. */
function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = systemCode(error);
    if (error instanceof CliError || code === undefined) throw error;
    throw refusal(path, CODES[code] ?? code);
  }
}

const CODES: Readonly<Record<string, string>> = {
  EACCES: "this account may not write there",
  EPERM: "this account may not write there",
  EROFS: "its file system is read-only",
  EEXIST: "it appeared in the meantime; run the command again",
  ENOENT: "there is no such file or folder",
};

function refusal(path: string, why: string): CliError {
  return new CliError(EXIT.failed, `${path}: ${why}; nothing was written.`);
}
