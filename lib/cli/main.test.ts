import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { commandLine } from "./testing/program";

const { root, run, runBuilt, good, folder } = commandLine();

describe("the program", () => {
  it("prints its version", async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect(await runBuilt(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it("continues if its standard error is closed", async () => {
    const child = spawn(process.execPath, [join(root, "dist", "cli.mjs"), "inspect", "away.jsonl", good]);
    child.stderr.destroy();
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
    });
    expect((await once(child, "close"))[0]).toBe(3);
    expect(out).toContain("good.jsonl");
  });
});

describe("the status line", () => {
  it("prints one line for Claude Code's status, without control characters of a file", async () => {
    const status = JSON.stringify({ transcript_path: good, cost: { total_cost_usd: 0.5 } });
    const { code, out, err } = await runBuilt(["statusline"], status);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\S+ of 200k .*session \$0\.5000\n$/);
  });

  it("runs by the command that install writes into the settings", async () => {
    const home = join(folder, "home");
    mkdirSync(join(home, ".claude"), { recursive: true });
    const env = { HOME: home, CLAUDE_CONFIG_DIR: "", CONTEXT_REPLAY_DATA: join(folder, "data") };
    expect(await runBuilt(["install", "statusline", "--yes"], "", env)).toMatchObject({ code: 0 });
    const { statusLine } = JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8"));
    const options = { input: JSON.stringify({ transcript_path: good }), encoding: "utf8" } as const;
    expect(spawnSync("sh", ["-c", statusLine.command], options).stdout).toMatch(/^\S+ of 200k /);
  });

  it("exits with 0 and no stack trace on unreadable input or closed output", () => {
    const program = join(root, "dist", "statusline.cjs");
    const opened = openSync(root, "r");
    const unread = spawnSync(process.execPath, [program], { stdio: [opened, "pipe", "pipe"], encoding: "utf8" });
    closeSync(opened);
    expect([unread.status, unread.stderr]).toEqual([0, ""]);
    expect(unread.stdout).toBe("context-replay: standard input is not a status of Claude Code\n");
    const command = `(sleep 0.2; echo '{}') | (node "$1"; echo "ended with $?" >&2) | true`;
    const closed = spawnSync("sh", ["-c", command, "sh", program], { encoding: "utf8" });
    expect(closed.stderr).toBe("ended with 0\n");
  });
});

it.each([
  ["count", ["--estimator", "o200k"], "1\n"],
  ["conformance", [join("verify", "agents", "mini-claude-code", "goldens"), "--json"], /"passed":[1-9]/],
])("%s runs in the built program", async (command, args, printed) => {
  const { code, out, err } = await runBuilt([command, ...args], "word");
  expect([code, out, err]).toEqual([0, expect.stringMatching(printed), ""]);
});

it.runIf(existsSync("/dev/full")).each([
  ["--version", []],
  ["inspect", [good]],
  ["count", ["--estimator", "o200k"]],
  ["replay", [good, "--policy", "none"]],
  ["compare", [good, "--policy", "none", "--policy", "custom"]],
  ["sweep", [good, "--policy", "custom", "--vary", "triggerShare=0.5:0.6:0.1"]],
  ["recommend", [good, "--policy", "custom", "--vary", "triggerShare=0.5:0.6:0.1"]],
  ["check", [good, "--policy", "custom", "--budget", "requestsOverWindow==0"]],
  ["breakdown", [good]],
  ["contributors", [good]],
  ["waste", [good]],
  ["cost", [good]],
  ["ledger", [good]],
  ["fidelity", [good]],
  ["export", [good, "--to", "bundle"]],
  ["conformance", [join("verify", "agents", "mini-claude-code", "goldens")]],
])("%s exits with 1 and one sentence if its output cannot be written", (command, args) => {
  const full = openSync("/dev/full", "w");
  const json = ["--version", "count", "export"].includes(command) ? [] : ["--json"];
  // The version is printed before the program is loaded.
  const start =
    command === "--version" ? join(import.meta.dirname, "../../bin/context-replay.mjs") : join(root, "dist", "cli.mjs");
  const program = [start, command, ...args, ...json];
  const { status, stderr } = spawnSync(process.execPath, program, {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, "context-replay: standard output cannot be written to (ENOSPC).\n"]);
});

describe("wrong arguments exit with 2 and one line", () => {
  it.each([
    [["nope"]],
    [["inspect"]],
    [["inspect", "-", "-"]],
    [["count"]],
    [["count", "--estimator", "nope"]],
    [["replay", good, "--policy", "nope"]],
    [["replay", good, "--policy", "custom@nope"]],
    [["replay", good, "--policy", "custom", "--set", "nope=1"]],
    [["replay", good, "--policy", "custom", "--set", "triggerShare=7"]],
    [["replay", good, "--policy", "custom", "--set", "triggerShare"]],
    [["replay", good, "--policy", "custom", "--counting", "nope"]],
    [["replay", good, "--policy", "custom", "--window", "0"]],
    [["compare", good, "--policy", "custom"]],
    [["compare", good, ...Array(7).fill(["--policy", "custom"]).flat()]],
    [["compare", good, "--set", "triggerShare=0.5", "--policy", "custom", "--policy", "none"]],
    [["compare", good, "--policy", "custom", "--policy", "none", "--set", "triggerShare=0.5"]],
    [["sweep", good, "--policy", "custom"]],
    [["recommend"]],
    [["recommend", good, "--policy", "custom"]],
    [["recommend", good, "--vary", "triggerShare=0.5:0.6:0.1"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.1:0.5"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.5:0.1:0.1"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.5:2:0.1"]],
    [["sweep", good, good, "--policy", "custom", "--vary", "nope=1:2:1"]],
    [["replay", good, "--policy", "none", "--estimator", "codex@current@current"]],
    [["replay", good, "--policy", "none", "--texts"]],
    [["replay", "-", "--policy", "none", "--overhead", "-"]],
    [["fidelity", "-", "-"]],
    [["breakdown", good, "--at", "99"]],
    [["breakdown", good, "--at", "99999999999999999999"]],
    [["serve", "--port", "70000"]],
    [["serve", "--token", ""]],
    [["serve", "--host", ""]],
    [["serve", good]],
  ])("%j", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("serve rejects an invalid port in the variable PORT", async () => {
    expect(await run(["serve"], "", { PORT: "none" })).toEqual({
      code: 2,
      out: "",
      err: "context-replay: the variable PORT must hold a port from 0 to 65535.\n",
    });
  });
});

it("serve reports an address on which it cannot listen", async () => {
  // An address for documentation (RFC 5737), which no machine has.
  const { code, out, err } = await run(["serve", "--host", "192.0.2.1", "--token", "some"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toBe("context-replay: cannot listen on 192.0.2.1, port 3000 (EADDRNOTAVAIL).\n");
});

describe("standard input", () => {
  it.each([
    ["inspect", []],
    ["replay", ["--policy", "none"]],
    ["compare", ["--policy", "none", "--policy", "custom"]],
    ["sweep", ["--policy", "custom", "--vary", "triggerShare=0.5:0.6:0.1"]],
    ["breakdown", []],
    ["contributors", []],
    ["waste", []],
    ["cost", []],
    ["fidelity", []],
  ])("is read by %s, and named in the message if it is empty", async (command, args) => {
    const [read, empty] = await Promise.all([
      runBuilt([command, "-", ...args, "--json"], readFileSync(good)),
      run([command, "-", ...args, "--json"]),
    ]);
    expect([read.code, read.err]).toEqual([0, ""]);
    expect(JSON.parse(read.out.split("\n")[0] ?? "")).toBeTypeOf("object");
    expect(empty).toEqual({ code: 3, out: "", err: "context-replay: standard input is empty.\n" });
  });

  it("is accepted as a context profile", async () => {
    const given = JSON.stringify({ systemPrompt: 40 });
    const { code, out } = await run(["breakdown", good, "--overhead", "-", "--preset", "ours", "--json"], given);
    expect([code, JSON.parse(out).categories[0]]).toMatchObject([0, { id: "systemPrompt", tokens: 40 }]);
    const none = await run(["breakdown", good, "--overhead", "-"], "x");
    expect([none.code, none.err]).toEqual([
      2,
      "context-replay: standard input is not a context profile: it is not JSON.\n",
    ]);
  });
});
