import { readFileSync } from "node:fs";
import { allowClosedPipes } from "../text/output";
import { printable } from "../text/printable";
import { statusline } from "./statusline";

// A program of its own, beside the command line: reading options alone would take a third of the time that a status line has.
allowClosedPipes();
process.stdout.write(`${printable(statusline(standardInput(), process.env))}\n`);

function standardInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch {
    return ""; // A terminal has nothing to read yet, and a folder never has.
  }
}
