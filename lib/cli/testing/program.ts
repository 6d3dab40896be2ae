import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { builtProgram } from "@/lib/server/testing/bundles";
import { assistantLine, put, temporaryFolder, userLine } from "@/lib/server/testing/files";

/** The exit code and output of one program run. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built command line for the tests of one file. Each call runs in its own process. */
export function commandLine() {
  const root = builtProgram();
  const folder = temporaryFolder();
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);

  async function run(
    args: readonly string[],
    input: string | Uint8Array = "",
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    const child = spawn(process.execPath, [join(root, "dist", "cli.mjs"), ...args], {
      env: { ...process.env, TMPDIR: temporary, CONTEXT_REPLAY_DEBUG: "", ...env },
    });
    const collected = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      collected.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      collected.err += chunk;
    });
    // A command that needs no input may exit before the input is written.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    await once(child, "close");
    return { code: child.exitCode, ...collected };
  }

  return {
    run,
    /** Folder of the built program. */
    root,
    /** Where the tests put their files. */
    folder,
    /** Where the program puts its temporary files; it must leave this folder empty. */
    temporary,
    /** A session of one request, with a damaged line and a control character. */
    good: put(
      folder,
      "good.jsonl",
      [
        userLine("One.", "u1"),
        "damaged",
        assistantLine("Two.", "a1", "u1"),
        userLine("Three\u001b[31m.", "u2", "a1"),
      ].join("\n"),
    ),
    /** A file that is not a transcript. */
    bad: put(folder, "bad.jsonl", "nothing of ours\n"),
  };
}

/** A session that fills up its context. */
export const LONG = join(process.cwd(), "public", "samples", "codex-sliding-window.jsonl");

/** Parses output that has one JSON value per line. */
export function jsonLines(out: string): unknown[] {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
