import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { vi } from "vitest";
import { builtProgram } from "@/lib/server/testing/bundles";
import { assistantLine, put, temporaryFolder, userLine } from "@/lib/server/testing/files";
import { runProgram } from "../program";

/** The exit code and output of one program run. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program with arguments, standard input and further variables. */
type Run = (args: readonly string[], input?: string | Uint8Array, env?: Variables) => Promise<Ran>;
type Variables = Readonly<Record<string, string>>;

/** The command line for the tests of one file. */
export function commandLine() {
  const root = builtProgram();
  const folder = temporaryFolder();
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const variables = { TMPDIR: temporary, CONTEXT_REPLAY_DEBUG: "" };
  let before: Promise<unknown> = Promise.resolve();

  return {
    /** Folder of the built program. */
    root,
    /** Runs the program in this process, one run at a time: starting a process takes longer than most commands. */
    run: ((args, input = "", env = {}) => {
      const running = before.then(() =>
        inThisProcess(args, input, { CONTEXT_REPLAY_ROOT: root, ...variables, ...env }),
      );
      before = running.catch(() => undefined);
      return running;
    }) satisfies Run,
    /** Runs the built program in a process of its own. */
    runBuilt: ((args, input = "", env = {}) =>
      inOwnProcess(join(root, "dist", "cli.mjs"), args, input, { ...variables, ...env })) satisfies Run,
    /** Folder for the tests' files. */
    folder,
    /** Folder for the program's temporary files; the program must leave it empty. */
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

/** Replaces process state while the program runs: variables, standard input and output, the exit code. */
async function inThisProcess(args: readonly string[], input: string | Uint8Array, env: Variables): Promise<Ran> {
  const own = { ...process.env };
  Object.assign(process.env, env);
  const [out, err] = [collected(process.stdout), collected(process.stderr)];
  // The program reads standard input only as a stream of bytes.
  const bytes = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
  const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue(bytes as typeof process.stdin);
  process.exitCode = undefined;
  try {
    await runProgram(args);
    return { code: Number(process.exitCode ?? 0), out: out.text(), err: err.text() };
  } finally {
    process.exitCode = undefined;
    for (const { restore } of [out, err]) restore();
    stdin.mockRestore();
    for (const name of Object.keys(env)) {
      if (own[name] === undefined) delete process.env[name];
      else process.env[name] = own[name];
    }
  }
}

/** Collects text written to a stream instead of writing it. */
function collected(stream: NodeJS.WriteStream) {
  let text = "";
  const write = vi.spyOn(stream, "write").mockImplementation((chunk, ...more) => {
    text += String(chunk);
    for (const one of more) if (typeof one === "function") one();
    return true;
  });
  return { text: () => text, restore: () => write.mockRestore() };
}

async function inOwnProcess(
  program: string,
  args: readonly string[],
  input: string | Uint8Array,
  env: Variables,
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
  const written = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    written.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    written.err += chunk;
  });
  // A command that needs no input may exit before the input is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  await once(child, "close");
  return { code: child.exitCode, ...written };
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
