import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError, isInputError } from "@/lib/server/base/input-error";
import { removeAtEnd } from "../process/at-end";
import { CliError, EXIT } from "../process/exit";

/** The names of standard input among the FILE arguments: the program's own, and the system's path, which may be a pipe. */
const STANDARD_INPUT: ReadonlySet<string> = new Set(["-", "/dev/stdin"]);

/** True if a FILE argument stands for standard input. */
export function isStandardInput(file: string): boolean {
  return STANDARD_INPUT.has(file);
}

/** Throws `CliError` if standard input is named more than once. */
export function onceOnly(files: readonly string[]): void {
  if (files.filter(isStandardInput).length > 1) {
    throw new CliError(EXIT.badArguments, "standard input can be read only once.");
  }
}

export interface InputFile {
  readonly path: string;
  readonly name: string;
}

/**
 * Passes a file to `work`. For `-` or `/dev/stdin`, standard input is first written to a temporary file, because texts are loaded later from their
 * position in the file. The temporary file is removed even if the program ends early.
 */
export async function withInputFile<T>(file: string, work: (input: InputFile) => Promise<T>): Promise<T> {
  const name = lastPart(file);
  if (!isStandardInput(file)) return work({ path: file, name });
  const { folder, remove } = temporaryFolder();
  try {
    const path = join(folder, "standard-input");
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return await work({ path, name });
  } catch (error) {
    throw isInputError(error) && name === "-" ? namingStandardInput(error) : error;
  } finally {
    remove();
  }
}

/** A folder that is removed after use, or when the program ends. */
function temporaryFolder(): { readonly folder: string; readonly remove: () => void } {
  let folder: string | undefined;
  const clear = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  const forget = removeAtEnd(clear);
  folder = mkdtempSync(join(tmpdir(), "context-replay-"));
  const remove = () => {
    forget();
    clear();
  };
  return { folder, remove };
}

/** The same error, naming standard input instead of `-`. */
function namingStandardInput({ code, message, formats, program }: InputError): InputError {
  return new InputError(code, message.replace(/^-(?=[ :])/, "standard input"), formats, program);
}

/** The last part of a path, as the user wrote it. */
export function lastPart(path: string): string {
  return (
    path
      .replace(/[\\/]+$/, "")
      .split(/[\\/]/)
      .at(-1) || path
  );
}
