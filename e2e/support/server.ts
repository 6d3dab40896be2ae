import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ENGINE } from "@/.ci/engine.mjs";
import type { SessionRow } from "@/lib/queries/contract/types";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const START_MS = 90_000;

/** The built program, which serves one folder and has an otherwise empty home folder of its own. */
export interface Served {
  /** The address as the browser sees it, without a slash at the end. */
  readonly origin: string;
  /** The folder that the program serves. */
  readonly folder: string;
}

/** A server that its starter stops. */
export interface App extends Served {
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export interface AppOptions {
  /** Fills the folder, and the home folder, before the server starts. If absent, the program serves no folder. */
  readonly fill?: (folder: string, home: string) => Promise<void> | void;
  /**
   * True if the files are new, so they may still be growing. Otherwise they are a day old: a page reads them once, with everything that is computed for a file
   * at rest.
   */
  readonly isFresh?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The program's file, if not this checkout's. */
  readonly program?: string;
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
}

const OWN = join(ROOT, "bin", "context-replay.mjs");

const DAY_S = 86_400;

/** Starts the program as a user would and waits for the address that it prints. */
export async function startApp({
  fill,
  isFresh = false,
  env = {},
  args = [],
  program: file = OWN,
}: AppOptions = {}): Promise<App> {
  const place = mkdtempSync(join(tmpdir(), "context-replay-e2e-"));
  const folder = join(place, "sessions");
  const home = join(place, "home");
  for (const made of [folder, home]) mkdirSync(made);
  await fill?.(folder, home);
  if (!isFresh) for (const filled of [folder, home]) makeOlder(filled);
  const folders = fill === undefined ? [] : [folder];
  const program = spawn(process.execPath, [...ENGINE, file, "serve", ...folders, "--port", "0", ...args], {
    cwd: place,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: home,
      CONTEXT_REPLAY_DATA: join(place, "data"),
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      CODEX_HOME: join(home, "codex"),
      ...env,
    },
  });
  const address = await printedAddress(program);
  return {
    origin: address.replace(/\/$/, ""),
    folder,
    pid: program.pid ?? 0,
    stop: async () => {
      if (program.exitCode === null) {
        const ended = once(program, "exit");
        program.kill("SIGTERM");
        await ended;
      }
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Makes the files of a folder a day older than they are, except those that are in another folder as well. */
function makeOlder(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const status = lstatSync(path);
    const time = status.mtimeMs / 1000 - DAY_S;
    if (status.isFile() && status.nlink === 1) utimesSync(path, time, time);
  }
}

function printedAddress(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`no address within ${START_MS} ms:\n${output}`)), START_MS);
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /at (http:\/\/\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    program.stdout?.on("data", take);
    program.stderr?.on("data", take);
    program.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with code ${code}:\n${output}`));
    });
  });
}

/** The id of a session: see `listedSession`. */
export async function sessionId(app: Served, file: string): Promise<string> {
  return (await listedSession(app, file)).id;
}

/** Finds a session by its file's name, as soon as the list has it: the server answers before all folders are scanned. */
export async function listedSession(app: Served, file: string): Promise<Listed> {
  const end = Date.now() + START_MS;
  for (;;) {
    const listed = await listedSessions(app);
    const found = listed.find(({ name }) => name === file);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${file} is not among ${listed.map(({ name }) => name).join(", ")}`);
    await sleep(50);
  }
}

type Listed = Pick<SessionRow, "id" | "name" | "agent" | "summary">;

async function listedSessions(app: Served): Promise<readonly Listed[]> {
  const answer = await fetch(`${app.origin}/api/sessions?limit=200`);
  const { sessions }: { sessions: readonly Listed[] } = await answer.json();
  return sessions;
}
