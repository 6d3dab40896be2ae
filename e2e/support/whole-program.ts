/**
 * Runs the whole program inside a network namespace and records its connections. It is bundled and started by `no-connections.spec.ts`; the result goes
 * to standard output as JSON.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { answersChat, startEndpoint } from "@/lib/server/testing/endpoint";

const [root = "", place = "", sample = ""] = process.argv.slice(2);
const program = join(root, "bin", "context-replay.mjs");
const sessions = join(place, "sessions");
const file = join(sessions, "sample.jsonl");

/** Starts the program so that every attempt to connect or to send, of any of its processes and threads, is written to a file. */
function traced(log: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const calls = "trace=connect,sendto,sendmsg,sendmmsg";
  const own = { NODE_ENV: "production" as const, PATH: process.env.PATH, HOME: join(place, "home") };
  return spawn("strace", ["-f", "--seccomp-bpf", "-qq", "-e", calls, "-o", log, process.execPath, program, ...args], {
    env: { ...own, CONTEXT_REPLAY_DATA: join(place, "data"), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The hosts and ports of a log, each once. Unix sockets do not count as network. */
function reached(log: string): readonly string[] {
  const calls = readFileSync(log, "utf8").split("\n");
  const addresses = calls.flatMap((call) => {
    const port = /sin6?_port=htons\((\d+)\)/.exec(call)?.[1];
    const host = /inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"/.exec(call);
    return port === undefined ? [] : [`${host?.[1] ?? host?.[2]}:${port}`];
  });
  return [...new Set(addresses)];
}

async function command(name: string, args: readonly string[]) {
  const log = join(place, `${name}.log`);
  const child = traced(log, args);
  const out = child.stdout === null ? "" : await textOf(child.stdout);
  if (child.exitCode === null) await once(child, "exit");
  return { name, code: child.exitCode, bytes: out.length, reached: reached(log) };
}

const SIMULATED = { policy: "mini-claude-code", counting: "estimate", window: 128_000 };
const json = (body: object) => ({ method: "POST", body: JSON.stringify(body) });

/** Serves, requests pages and answers of every kind, and ends. */
async function served(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const log = join(place, `${name}.log`);
  const child = traced(log, ["serve", sessions, "--port", "0", ...args], env);
  let output = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the server ended: ${output}`)));
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const [, found] = /at (http:\/\/\S+)\//.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const statuses: Record<string, number> = {};
  let id = "";
  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, init);
    const body = await response.text();
    statuses[`${init.method ?? "GET"} ${id === "" ? path : path.replace(id, "ID")}`] = response.status;
    return body;
  };
  while (id === "") id = JSON.parse(await get("/api/sessions?limit=50")).sessions[0]?.id ?? "";
  const of = `/api/sessions/${id}`;
  for (const path of ["/", `/sessions/${id}`, "/api/health", "/api/sources", "/api/prices?model=gpt-5"])
    await get(path);
  for (const path of ["", "/columns?tokens=o200k", "/items?from=0&to=20", "/cost", "/fidelity", "/contributors"]) {
    await get(`${of}${path}`);
  }
  await get(`${of}/replay`, json(SIMULATED));
  await get(`${of}/ledger`, json(SIMULATED));
  await get(`${of}/boundary`, json({ ...SIMULATED, at: 46 }));
  await get(
    "/api/sweeps",
    json({ sessions: [id], policy: "custom", vary: [{ key: "triggerShare", from: 0.4, to: 0.8, step: 0.2 }] }),
  );
  const preview = JSON.parse(await get(`${of}/summary/preview`, json({ ...SIMULATED, at: 46 })));
  const digest = preview.preview?.digest ?? "";
  await get(`${of}/summary`, json({ ...SIMULATED, at: 46, digest }));
  const ended = once(child, "exit");
  // The signal is for the program, not for its tracer.
  process.kill(Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim()), "SIGTERM");
  await ended;
  return { name, own: new URL(address).host, statuses, reached: reached(log) };
}

mkdirSync(sessions, { recursive: true });
mkdirSync(join(place, "home"));
copyFileSync(sample, file);
const endpoint = await startEndpoint(answersChat(["A summary."]));
const boundary = [
  "summarize",
  file,
  "--policy",
  "mini-claude-code",
  "--counting",
  "estimate",
  "--window",
  "128000",
  "--boundary",
  "46",
];
const nowhere = ["--summarizer", "https://nowhere.invalid/v1", "--model", "gpt-5"];
const there = ["--summarizer", `${endpoint.origin}/v1`, "--model", "gpt-5"];
const without = {
  served: await served("served", []),
  commands: [
    await command("inspect", ["inspect", file, "--json", "--accuracy", "all"]),
    await command("cost", ["cost", file]),
    await command("ledger", ["ledger", file]),
    await command("sweep", ["sweep", file, "--policy", "custom", "--vary", "triggerShare=0.4:0.8:0.2"]),
    await command("sessions", ["sessions", sessions]),
    await command("preview", [...boundary, ...nowhere]),
  ],
};
const seenWithout = endpoint.seen.length;
const withEndpoint = {
  served: await served("summarizing", there),
  command: await command("summarize", [...boundary, ...there, "--yes"]),
};
const seen = endpoint.seen.length;
await endpoint.close();
process.stdout.write(`${JSON.stringify({ endpoint: endpoint.host, without, seenWithout, withEndpoint, seen })}\n`);
