import { readFileSync, writeSync } from "node:fs";
import { printable } from "../text/printable";
import { statusline } from "./statusline";

// A separate program: parsing the command line's options alone would take a third of a status line's time. It writes to the descriptor: Node's
// streams would load as much code again.
statusline(standardInput(), process.env).then((line) => print(`${printable(line)}\n`));

function standardInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch {
    return ""; // A terminal has no input yet, and a folder never has any.
  }
}

function print(line: string): void {
  try {
    writeSync(1, line);
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return;
    process.stderr.write(`context-replay: standard output cannot be written to (${code}).\n`);
    process.exitCode = 1;
  }
}
