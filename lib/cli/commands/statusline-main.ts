import { readFileSync } from "node:fs";
import { printable } from "../text/printable";
import { statusline } from "./statusline";

// A program of its own, beside the command line: reading options alone would take a third of the time that a status line has.
process.stdout.write(`${printable(statusline(readFileSync(0, "utf8"), process.env))}\n`);
