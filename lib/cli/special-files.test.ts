import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { folderSource } from "@/lib/server/list/files/sources";
import { walk } from "@/lib/server/list/files/walk";
import { commandLine } from "./testing/program";

const { run, runBuilt, folder, good } = commandLine();

const pipe = join(folder, "pipe.jsonl");
const made = spawnSync("mkfifo", [pipe]);
const linked = join(folder, "linked.jsonl");
symlinkSync(pipe, linked);
/** A socket's path is limited to about a hundred characters. */
const socket = join(tmpdir(), `cr-${process.pid}.jsonl`);
const listening = createServer();
listening.listen(socket);
await once(listening, "listening");
afterAll(() => {
  listening.close();
  rmSync(socket, { force: true });
});

/** Systems without named pipes have nothing to test. */
describe.skipIf(made.status !== 0)("named pipes, sockets and devices", () => {
  it("are not read: inspect names their kind, answers for other files, and exits with 3", async () => {
    const { code, out, err } = await run(["inspect", pipe, good, socket, linked, "/dev/zero", "--json"]);
    expect(err.trim().split("\n")).toEqual([
      "context-replay: pipe.jsonl is a named pipe, not a file.",
      `context-replay: cr-${process.pid}.jsonl is a socket, not a file.`,
      "context-replay: linked.jsonl is a named pipe, not a file.",
      "context-replay: zero is a device, not a file.",
    ]);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).file),
    ).toEqual(["good.jsonl"]);
    expect(code).toBe(3);
  });

  it.each([
    ["breakdown"],
    ["contributors"],
    ["replay", "--policy", "codex"],
    ["compare", "--policy", "codex", "--policy", "none"],
    ["sweep", "--policy", "custom", "--vary", "triggerShare=0.5:0.9:0.2"],
  ])("are not read by %s", async (command, ...options) => {
    const { code, err } = await run([command, pipe, ...options]);
    expect([code, err]).toEqual([3, "context-replay: pipe.jsonl is a named pipe, not a file.\n"]);
  });

  it("are not read as a context profile or as golden cases", async () => {
    const profile = await run(["breakdown", good, "--overhead", pipe]);
    expect([profile.code, profile.err]).toEqual([3, "context-replay: pipe.jsonl is a named pipe, not a file.\n"]);
    const golden = await run(["conformance", pipe]);
    expect([golden.code, golden.err]).toEqual([3, "context-replay: pipe.jsonl is a named pipe, not a file.\n"]);
  });

  it("are not listed as sessions of a folder", async () => {
    const mounted = join(folder, "mounted");
    mkdirSync(mounted);
    spawnSync("mkfifo", [join(mounted, "pipe.jsonl")]);
    symlinkSync(pipe, join(mounted, "linked.jsonl"));
    linkSync(good, join(mounted, "good.jsonl"));
    const found = await walk(folderSource(mounted), [folder]);
    expect(found.map(({ name }) => name)).toEqual(["good.jsonl"]);
  });
});

it("standard input is read under both of its names", async () => {
  const content = readFileSync(good);
  const [own, system] = await Promise.all([
    runBuilt(["inspect", "-", "--json"], content),
    runBuilt(["inspect", "/dev/stdin", "--json"], content),
  ]);
  expect(JSON.parse(system.out)).toEqual({ ...JSON.parse(own.out), file: "stdin" });
  expect([own.code, system.code]).toEqual([0, 0]);
});
