import { afterEach, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { ESTIMATOR_IDS } from "@/lib/server/read/numbers/estimators";
import { put } from "@/lib/server/testing/files";
import { COMMANDS } from "./declarations";
import { endPolicyThreads } from "./input/own-policy-files";
import { Program } from "./options";
import { commandLine } from "./testing/program";

const { run, folder } = commandLine();
const NAMES = COMMANDS.map(({ add }) => add(new Program()).name());

it("the program's help names every command and all exit codes", async () => {
  const { code, out, err } = await run(["--help"]);
  expect([code, err]).toEqual([0, ""]);
  const [, commands = ""] = /\nCommands:\n((?: .*\n)+)/.exec(out) ?? [];
  expect(Array.from(commands.matchAll(/^ {2}([\w-]+)(?= |$)/gm), ([, name]) => name)).toEqual([...NAMES, "help"]);
  expect(out).toContain("Exit codes: 0 done, 1 a check failed, 2 bad arguments");
  expect(await run([])).toEqual({ code: 2, out: "", err: out });
});

it.each(NAMES)("the help of %s fits a terminal of 80 columns, and describes every option", async (command) => {
  const { code, out } = await run([command, "--help"]);
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const options = Array.from(out.matchAll(/^ {2}(?:-\w, )?(--\S+)(?: <[^ ]+>)? *(.*)$/gm), ([, name, text]) => [
    name,
    text,
  ]);
  const own = COMMANDS.map(({ add }) => add(new Program())).find((one) => one.name() === command)?.options;
  expect(options).toHaveLength((own?.length ?? 0) + 1);
  expect(options.filter(([, text]) => text === "")).toEqual([]);
});

it("the help of replay lists all policies, presets, settings and estimators", async () => {
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

const policyFile = put(folder, "my-policy.mjs", "");
const EXAMPLES = COMMANDS.flatMap(({ add, examples }) => examples.map((example) => ({ add, example })));
afterEach(endPolicyThreads);

it("the help of every command shows its two examples, which begin with that command", async () => {
  for (const { add, examples } of COMMANDS) {
    const name = add(new Program()).name();
    const { out } = await run(["help", name]);
    const shown = out
      .slice(out.indexOf("\nExamples:\n"))
      .replaceAll(/ \\\n +/g, " ")
      .split("\n")
      .slice(2, 4);
    expect(shown).toEqual(examples.map((example) => `  ${example}`));
    expect(examples.map((example) => argumentsOf(example)[0])).toEqual([name, name]);
  }
});

it.each(EXAMPLES)("the program's parser accepts the example $example", async ({ add, example }) => {
  const program = new Program().exitOverride();
  let runs = 0;
  add(program)
    .exitOverride()
    .action(() => {
      runs += 1;
    });
  await program.parseAsync(argumentsOf(example), { from: "user" });
  expect(runs).toBe(1);
});

/** Arguments of the program in a shell line, without pipes, redirections and quotes. */
function argumentsOf(example: string): string[] {
  const [line = ""] = example.slice(example.lastIndexOf("context-replay ")).split(/ [<>|] /);
  const words = Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
  return words.slice(1).map((word) => (word === "./my-policy.mjs" ? policyFile : word));
}
