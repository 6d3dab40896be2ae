import { createInterface } from "node:readline/promises";
import { configFrom } from "@/lib/server/base/config";
import { EXIT, type ExitCode, say } from "../process/exit";
import { write } from "../text/output";
import { changeDiff, type SettingsChange, undoChange, writeChange } from "./settings-change";

/** Asks a person at the terminal; false without one. */
type Ask = (question: string) => Promise<boolean>;

export interface ApplyOptions {
  /** Writes without asking for confirmation. */
  readonly yes?: boolean;
  readonly ask?: Ask;
}

/**
 * Shows a proposed change, asks for confirmation, and writes it with a backup. Every command that changes another program's settings goes through
 * this. Rejects with `CliError` if the file changed in the meantime or cannot be written.
 * @returns true if it was written
 */
export async function applyChange(
  change: SettingsChange,
  { yes = false, ask = asked }: ApplyOptions,
): Promise<boolean> {
  const { path, by } = change;
  const diff = changeDiff(change);
  if (diff === "") {
    await write(`${path} already contains this change; nothing was written.\n`);
    return false;
  }
  await write(`${diff}\n`);
  if (!yes && !(await ask(`Write this to ${path}?`))) {
    say("nothing was written. With --yes it is written without asking.");
    return false;
  }
  const backup = writeChange(change, configFrom(process.env).dataDir);
  const kept = backup === undefined ? "" : ` A backup is in ${backup}.`;
  await write(`${path} is written.${kept} To undo it: context-replay ${by} --undo\n`);
  return true;
}

/** Restores the file that a command has changed, and says so. Rejects with `CliError` if it changed since. */
export async function undoApplied(path: string, by: string): Promise<ExitCode> {
  const outcome = undoChange(path, by, configFrom(process.env).dataDir);
  await write(`${path} ${outcome === "restored" ? "is as it was before" : "did not exist before, and is removed"}.\n`);
  return EXIT.done;
}

async function asked(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
