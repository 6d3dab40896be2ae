import { expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { ESTIMATOR_IDS } from "@/lib/server/read/numbers/estimators";
import { commandLine } from "./testing/program";

const { run } = commandLine();
const COMMANDS = [
  ...["serve", "inspect", "count", "replay", "compare", "sweep", "recommend", "check"],
  ...["breakdown", "contributors", "cost", "ledger", "summarize", "fidelity", "export", "conformance"],
  ...["sessions", "stats", "work"],
];

it("of the program names every command and what it ends with", async () => {
  const { code, out, err } = await run(["--help"]);
  expect([code, err]).toEqual([0, ""]);
  expect(Array.from(out.matchAll(/^ {2}(\w+) .*\[/gm), ([, name]) => name)).toEqual([...COMMANDS, "help"]);
  expect(out).toContain("Exit codes: 0 done, 1 a check failed, 2 bad arguments");
  expect(await run([])).toEqual({ code: 2, out: "", err: out });
});

it.each(COMMANDS)("of %s fits a terminal of 80 columns and says what every option is", async (command) => {
  const { code, out } = await run([command, "--help"]);
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const options = Array.from(out.matchAll(/^ {2}(?:-\w, )?(--\S+)(?: <[^ ]+>)? *(.*)$/gm), ([, name, text]) => [
    name,
    text,
  ]);
  expect(options.length).toBeGreaterThan(1);
  expect(options.filter(([, text]) => text === "")).toEqual([]);
});

it("of replay lists the policies, presets, settings and estimators that it takes", async () => {
  const { out } = await run(["help", "replay"]);
  const words = new Set(out.split(/[\s,:]+/));
  const context = { window: 200_000, agent: null };
  const named = POLICIES.flatMap(({ id, presets, settings }) => [
    id,
    ...presets,
    ...presets.flatMap((preset) => settings(preset, context).map(({ key }) => key)),
  ]);
  expect([...named, ...ESTIMATOR_IDS].filter((word) => !words.has(word))).toEqual([]);
});
