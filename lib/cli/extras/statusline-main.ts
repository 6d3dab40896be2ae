import { readFileSync } from "node:fs";
import { allowClosedPipes } from "../text/output";
import { printable } from "../text/printable";
import { statusline } from "./statusline";

// A separate program: parsing the command line's options alone would take a third of a status line's time.
allowClosedPipes();
process.stdout.write(`${printable(statusline(standardInput(), process.env))}\n`);

function standardInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch {
    return ""; // A terminal has no input yet, and a folder never has any.
  }
}
