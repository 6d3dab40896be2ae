// A list of hashes of the program's whole visible behaviour: the responses of every HTTP address for every session,
// the OpenAPI document, and the output of every command. It starts the built program and imports none of its modules,
// so moving code does not change the list.
//
//   node verify/outside.mjs           compares with outside.json and names the differences
//   node verify/outside.mjs --write   writes outside.json
//   node verify/outside.mjs --keep DIR   also writes each answer to a file, to compare two versions
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAM = path.join(ROOT, "bin", "context-replay.mjs");
const LIST = path.join(ROOT, "verify", "outside.json");
/** Session ids are derived from paths, so the inputs always lie in the same folder. */
const HOME = path.join(tmpdir(), "context-replay-outside");
const INPUTS = path.join(HOME, "inputs");
/** A day on which nothing was recorded: prices of "today" and ages of files depend on it. */
const MODIFIED = new Date("2026-11-01T00:00:00Z");
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME,
  CONTEXT_REPLAY_DATA: path.join(HOME, "data"),
  TZ: "UTC",
  LANG: "C.UTF-8",
  NO_COLOR: "1",
  COLUMNS: "100",
  NEXT_TELEMETRY_DISABLED: "1",
};

const { values } = parseArgs({ options: { write: { type: "boolean" }, keep: { type: "string" } } });
const seen = {};
let runs = 0;

const inputs = copyInputs();
await Promise.all([commands(), addresses()]);
rmSync(HOME, { recursive: true, force: true });
finish();

/** Copies the samples and every agent's fixtures to the fixed place; returns the samples and each agent's largest fixture, for slow commands. */
function copyInputs() {
  rmSync(HOME, { recursive: true, force: true });
  const agents = path.join(ROOT, "lib", "agents");
  const folders = [["samples", path.join(ROOT, "public", "samples")]];
  for (const agent of readdirSync(agents)) {
    const folder = path.join(agents, agent, "fixtures");
    if (existsSync(folder)) folders.push([agent, folder]);
  }
  return folders.flatMap(([name, folder]) => {
    const target = path.join(INPUTS, name);
    mkdirSync(target, { recursive: true });
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(jsonl?|db)$/.test(file) && !file.includes(".golden."))
      .sort();
    for (const file of files) {
      mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
      copyFileSync(path.join(folder, file), path.join(target, file));
      utimesSync(path.join(target, file), MODIFIED, MODIFIED);
    }
    const size = (file) => statSync(path.join(folder, file)).size;
    const chosen = name === "samples" ? files : files.sort((a, b) => size(b) - size(a)).slice(0, 1);
    return chosen.map((file) => path.join(name, file));
  });
}

async function commands() {
  const help = await run(["--help"]);
  const names = [...help.matchAll(/^ {2}([a-z-]+) (?=\[| {2,}|<)/gm)].map(([, name]) => name);
  if (names.length < 20) throw new Error(`--help names only ${names.length} commands`);
  const asked = names.filter((name) => name !== "help").map((name) => [name, "--help"]);
  const all = readdirSync(INPUTS, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(jsonl?|db)$/.test(file))
    .sort();
  for (const form of [[], ["--json"]]) {
    asked.push(["sessions", ".", ...form], ["stats", ".", ...form], ["stats", ".", "--by", "day", ...form]);
    asked.push(
      ["fidelity", ".", ...form],
      ["recommend", "samples", "--policy", "custom", "--vary", "triggerShare=0.5:0.9:0.2", ...form],
    );
    asked.push(["conformance", ...form]);
    asked.push(
      ["inspect", "--accuracy", "all", ...all, ...form],
      ["cost", ...all, ...form],
      ["ledger", ...all, ...form],
    );
    for (const file of inputs) {
      asked.push(["breakdown", file, ...form], ["contributors", file, ...form], ["fidelity", file, ...form]);
      asked.push(["replay", file, "--policy", "none", ...form]);
      asked.push(["replay", file, "--policy", "custom", "--window", "9000", ...form]);
      asked.push(["compare", file, "--policy", "codex", "--policy", "openclaw", "--window", "20000", ...form]);
      asked.push([
        "sweep",
        file,
        "--policy",
        "custom",
        "--window",
        "9000",
        "--vary",
        "triggerShare=0.5:0.9:0.1",
        ...form,
      ]);
    }
  }
  for (const policy of await policies()) {
    for (const file of inputs.filter((name) => name.startsWith("samples")))
      asked.push(["replay", file, "--policy", policy, "--window", "40000", "--json"]);
  }
  for (const file of inputs) {
    asked.push(["export", file, "--to", "csv"], ["export", file, "--to", "json"], ["export", file, "--to", "svg"]);
    asked.push(["export", file, "--to", "html"]);
  }
  note("command: --help", help);
  await inTurn(asked, async (args) => {
    const shown = args.length > 12 ? [...args.slice(0, 3), "EVERY FILE", ...args.slice(-1)] : args;
    note(`command: ${shown.join(" ")}`, await run(args));
  });
}

/** Every policy with every preset, as the help text of `replay` lists them. */
async function policies() {
  const help = await run(["replay", "--help"]);
  const table = help.slice(help.indexOf("Policies, with"), help.indexOf("Estimators, with"));
  return [...table.matchAll(/^ {2}([a-z-]+) {2,}([^\n]+)/gm)]
    .filter(([, id]) => id !== "all")
    .flatMap(([, id, presets]) =>
      presets.split(", ").map((preset) => {
        const name = preset.replace(/ \(.*/, "");
        return name === "default" ? id : `${id}@${name}`;
      }),
    );
}

async function addresses() {
  const port = 39_000 + (process.pid % 1000);
  const server = spawn(process.execPath, [PROGRAM, "serve", INPUTS, "--port", String(port)], {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: "ignore",
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    const ask = async (address, body) => {
      const signal = AbortSignal.timeout(60_000);
      const sent = {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", origin: base },
      };
      const response = await fetch(base + address, body === undefined ? { signal } : { ...sent, signal }).catch(
        (error) => {
          throw new Error(`${address}: ${error}`);
        },
      );
      return `${response.status} ${response.headers.get("content-type")}\n${Buffer.from(await response.arrayBuffer()).toString("latin1")}`;
    };
    const list = await whenRead(base);
    const rows = list.sessions.filter((row) => row.id !== undefined);
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    const asked = [
      "health",
      "sources",
      "prices",
      "policies",
      "profiles",
      "summarizer",
      "openapi.json",
      "insights",
      "sessions?limit=200",
      "sessions/facets",
      "sessions/choices",
      "none",
    ].map((name) => [`/api/${name}`, `/api/${name}`]);
    const chosen = new Set(inputs.map((file) => path.basename(file)));
    for (const { id, name } of rows) {
      const put = (part, body) =>
        asked.push([`/api/sessions/ID${part} ${name} ${id}`, `/api/sessions/${encodeURIComponent(id)}${part}`, body]);
      for (const part of ["", "/columns?tokens=own,bytes-4", "/cost?ttl=1h"]) put(part);
      if (!chosen.has(name)) continue;
      for (const part of ["/items?from=0&to=200", "/breakdown", "/contributors", "/fidelity", "/overhead"]) put(part);
      for (const part of ["/search?q=the", "/export/preview", "/export?to=bundle", "/export?to=csv&table=items"])
        put(part);
      put("/ledger", {});
      put("/replay", { policy: "custom", window: 9000 });
      put("/boundary", { policy: "custom", window: 9000, at: 1 });
      put("/compare", { runs: [{ policy: "custom" }, { policy: "none" }], window: 9000 });
    }
    await inTurn(asked, async ([label, address, body]) => note(`address: ${label}`, await ask(address, body)));
  } finally {
    server.kill("SIGTERM");
  }
}

/** The session list, after the server has read every file. */
async function whenRead(base) {
  for (let tries = 0; tries < 600; tries += 1) {
    try {
      const page = await (await fetch(`${base}/api/sessions?limit=200`)).json();
      if (page.indexing.total > 0 && page.indexing.done === page.indexing.total) return page;
    } catch {
      // The server has not begun to listen.
    }
    await delay(200);
  }
  throw new Error("the server has not read its files within two minutes");
}

/** Output, error output and exit code of a command whose arguments name inputs. */
async function run(args) {
  runs += 1;
  // A data folder for each, because commands run at the same time.
  const env = { ...ENVIRONMENT, CONTEXT_REPLAY_DATA: path.join(HOME, `data-${runs}`) };
  const options = { cwd: existsSync(INPUTS) ? INPUTS : ROOT, env, maxBuffer: 2 ** 28 };
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], options).catch(
    (error) => error,
  );
  return `exit ${code ?? 0}\n${stdout}\n${stderr}`;
}

/** Runs `work` for every entry, as many at a time as the machine has cores. */
async function inTurn(all, work) {
  const waiting = all.values();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const one of waiting) await work(one);
    }),
  );
}

/** Adds an answer to the list, without the parts that differ from run to run. */
function note(name, answer) {
  const stable = answer
    .replaceAll(ROOT.replace(/\/$/, ""), "ROOT")
    // A recording without times is priced by the current day.
    .replace(/(?<!\d)20\d\d-\d\d-\d\d(?!\d)/g, (day) => (day > MODIFIED.toISOString() ? "LATER" : day))
    .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
    // The list's revision, and the last digits of sums, which depend on the order in which files were read.
    .replaceAll(/"revision":\d+/g, '"revision":0')
    .replaceAll(/\d+\.\d{9,}/g, (number) => String(Number(Number(number).toFixed(9))));
  if (name in seen) throw new Error(`asked twice: ${name}`);
  seen[name] = createHash("sha256").update(stable).digest("hex").slice(0, 16);
  if (values.keep === undefined) return;
  mkdirSync(values.keep, { recursive: true });
  writeFileSync(path.join(values.keep, name.replaceAll(/[^\w.=-]+/g, "_").slice(0, 200)), stable);
}

/** Writes the list, or prints the differences from it. */
function finish() {
  const now = Object.fromEntries(Object.entries(seen).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (values.write) {
    writeFileSync(LIST, `${JSON.stringify(now, null, 2)}\n`);
    console.log(`${Object.keys(now).length} answers written`);
    return;
  }
  const before = JSON.parse(readFileSync(LIST, "utf8"));
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const different = names.filter((name) => before[name] !== now[name]);
  for (const name of different) {
    const word = before[name] === undefined ? "new" : now[name] === undefined ? "missing" : "changed";
    console.log(`${word}: ${name}`);
  }
  console.log(`${names.length} answers, ${different.length} differ`);
  process.exitCode = different.length === 0 ? 0 : 1;
}
