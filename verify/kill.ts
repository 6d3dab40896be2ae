/**
 * Ends a server with SIGKILL at random moments while it makes its tables, lists, reads, receives uploads and follows files that grow, and checks at the
 * end that all data is there. `npm run verify kill 200` sets the number of rounds.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionPage, SessionRow } from "@/lib/queries/contract/schemas";
import { configFrom } from "@/lib/server/base/config";
import { listQuery } from "@/lib/server/list/list-query";
import { AppServer } from "@/lib/server/server";

const ROUNDS = 20;
const FILES = 12;
/** Number of lines of a file at first, and number added per round. */
const LINES = 40;
/** Maximum number of lines of an upload: enough for a kill during it. */
const MAX_LINES = 60;
/** Minimum and maximum time that a process runs undisturbed once it is loaded, in milliseconds. */
const ALONE_MS = [5, 2500] as const;
/** Interval in rounds at which the index is removed, so that its tables are rebuilt. */
const REBUILD_INTERVAL = 4;

/** Result of a trial. */
export interface KillResult {
  readonly rounds: number;
  /** Uploads that were acknowledged, by their titles, and those of them that are listed at the end. */
  readonly acknowledged: readonly string[];
  readonly listed: readonly string[];
  /** Listed uploads smaller than the sent ones: parts of one. */
  readonly torn: readonly string[];
  /** Messages of starts on standard error. */
  readonly messages: readonly string[];
  /** The list at the end, and the list of an index that is then rebuilt. */
  readonly list: readonly string[];
  readonly rebuiltList: readonly string[];
}

export async function main([first, ...rest]: readonly string[]): Promise<void> {
  if (first === "--child") return serveUntilKilled(JSON.parse(rest[0] ?? "{}"));
  const { rounds, acknowledged, listed, torn, messages, list, rebuiltList } = await killRounds(
    { root: process.cwd(), script: import.meta.url },
    Number(first ?? ROUNDS),
  );
  const lost = acknowledged.filter((one) => !listed.includes(one)).length;
  const same = JSON.stringify(list) === JSON.stringify(rebuiltList);
  console.log(
    `${rounds} kills; ${acknowledged.length} uploads acknowledged, ${lost} lost, ${torn.length} torn; ${messages.length} messages on standard error: ${messages.join(" ")}`,
  );
  console.log(`${list.length} sessions listed at the end, ${same ? "as" : "NOT as"} in a rebuilt index`);
  for (const [name, one, other] of [
    ["at the end", list, rebuiltList],
    ["rebuilt", rebuiltList, list],
  ] as const) {
    for (const row of one) if (!other.includes(row)) console.log(`Only in the list ${name}: ${row}`);
  }
  if (lost > 0 || torn.length > 0 || !same) process.exitCode = 1;
}

interface Place {
  /** Folder of the program. */
  readonly root: string;
  /** Address of this module as it was bundled. */
  readonly script: string;
}

/** Folders of a trial's server. */
interface Trial {
  readonly root: string;
  readonly folder: string;
  readonly data: string;
}

/**
 * @param most the longest time that a process runs undisturbed, in milliseconds
 */
export async function killRounds(
  { root, script }: Place,
  rounds: number,
  most: number = ALONE_MS[1],
): Promise<KillResult> {
  const base = mkdtempSync(join(tmpdir(), "context-replay-kill-"));
  const trial: Trial = { root, folder: join(base, "sessions"), data: join(base, "data") };
  mkdirSync(trial.folder);
  for (let at = 0; at < FILES; at++) grow(trial, at, 0, LINES);
  const acknowledged: string[] = [];
  const messages: string[] = [];
  const sizes = new Map<string, number>();
  try {
    for (let round = 0; round < rounds; round++) {
      if (round % REBUILD_INTERVAL === REBUILD_INTERVAL - 1) removeIndex(trial);
      const server = start(script, trial);
      server.stderr?.on("data", (chunk) => messages.push(String(chunk).trim()));
      const ended = once(server, "exit");
      await once(server, "message");
      server.on("message", ({ title, bytes, isKept }: UploadReport) => {
        sizes.set(title, bytes);
        if (isKept) acknowledged.push(title);
      });
      await delay(randomInt(ALONE_MS[0], most) / 2);
      grow(trial, round % FILES, LINES + round, 1);
      await delay(randomInt(ALONE_MS[0], most) / 2);
      // On a busy machine every round may have been too short for an upload, and nothing would be tried.
      while (round === rounds - 1 && acknowledged.length === 0 && server.exitCode === null) await delay(20);
      server.kill("SIGKILL");
      await ended;
    }
    const list = await listOf(trial);
    removeIndex(trial);
    const rebuiltList = await listOf(trial);
    const rows: readonly SessionRow[] = list.map((row) => JSON.parse(row));
    const uploads = rows.filter(({ upload }) => upload);
    const torn = uploads.filter(({ title, bytes }) => sizes.get(title ?? "") !== bytes).map(({ id }) => id);
    const listed = rows.flatMap(({ title }) => title ?? []);
    return { rounds, acknowledged, listed, torn, messages, list, rebuiltList };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function start(script: string, trial: Trial): ChildProcess {
  const run = `import(${JSON.stringify(script)}).then((kill) => kill.main(process.argv.slice(1)))`;
  return spawn(process.execPath, ["-e", run, "--", "--child", JSON.stringify(trial)], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
}

/** State of an upload in a server's report: begun, or stored. */
interface UploadReport {
  readonly title: string;
  readonly bytes: number;
  readonly isKept: boolean;
}

/**
 * Lists, follows growing files and takes uploads for ever; reports to its parent every upload that begins, and that it has
 * acknowledged.
 */
async function serveUntilKilled(trial: Trial): Promise<void> {
  process.send?.("begins");
  const server = serverOf(trial);
  for (;;) {
    const page: SessionPage = JSON.parse(new TextDecoder().decode(await server.listing.list(listQuery.parse({}))));
    const growing = page.sessions.find(({ upload }) => !upload);
    if (growing !== undefined) await server.session(growing.id);
    // The title identifies the upload of a row.
    const title = createHash("sha256").update(randomUUID()).digest("hex").slice(0, 20);
    const lines = Array.from({ length: randomInt(1, MAX_LINES) }, (_, at) => `${lineOf(title, at, title)}\n`);
    const report = { title, bytes: lines.join("").length, isKept: false };
    process.send?.(report);
    await server.upload({
      body: (async function* () {
        for (const line of lines) {
          yield Buffer.from(line);
          if (Math.random() < 0.2) await delay(1);
        }
      })(),
      name: `${title}.jsonl`,
    });
    process.send?.({ ...report, isKept: true });
    await delay(20);
  }
}

/** Every row of the list after everything is read, in a fixed order. */
async function listOf(trial: Trial): Promise<string[]> {
  const server = serverOf(trial);
  const rows: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: SessionPage = JSON.parse(
      new TextDecoder().decode(await server.listing.list(listQuery.parse({ limit: 200, sort: "title", cursor }))),
    );
    if (page.indexing.done < page.indexing.total) {
      await delay(100);
      rows.length = 0;
      cursor = undefined;
      continue;
    }
    rows.push(...page.sessions.map((row) => JSON.stringify(row)));
    cursor = page.nextCursor;
  }
  await server.close();
  return rows.sort();
}

function serverOf({ root, folder, data }: Trial): AppServer {
  const home = join(data, "nobody");
  return new AppServer({ ...configFrom({ HOME: home, CONTEXT_REPLAY_DATA: data }), root, dirs: [folder] });
}

function removeIndex({ data }: Trial): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(join(data, `index.sqlite${ending}`), { force: true });
}

/** Adds lines to a session's file. */
function grow({ folder }: Trial, file: number, from: number, count: number): void {
  const lines = Array.from({ length: count }, (_, at) =>
    lineOf(`session-${file}`, from + at, `Question ${from + at}?`),
  );
  appendFileSync(join(folder, `session-${file}.jsonl`), `${lines.join("\n")}\n`);
}

/** A record of an invented Claude Code session: questions and answers in turn. */
function lineOf(session: string, number: number, text: string): string {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 100 + number,
    output_tokens: 7,
  };
  const message =
    number % 2 === 0
      ? { role: "user", content: text }
      : {
          role: "assistant",
          model: "claude-opus-4-6",
          id: `m-${session}-${number}`,
          type: "message",
          content: [{ type: "text", text }],
          usage,
        };
  return JSON.stringify({
    parentUuid: number === 0 ? null : `${session}-${number - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: "/home/ada/shop",
    sessionId: session,
    version: "2.1.37",
    type: message.role,
    message,
    uuid: `${session}-${number}`,
    timestamp,
  });
}
