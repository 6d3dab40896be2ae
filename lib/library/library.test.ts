import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { commandLine, jsonLines, LONG } from "@/lib/cli/testing/program";
import { compare, estimators, open, policies, readers, replay, sweep, version } from ".";

const { run, root, folder } = commandLine();
const LIBRARY = "docs/library.md";

/** The examples of the page, each with its output. */
const EXAMPLES = Array.from(
  readFileSync(LIBRARY, "utf8").matchAll(/```js\n(.*?)```\n```text\n(.*?)```/gs),
  ([, code = "", printed = ""], at) => ({ at, code, printed }),
);

it("every example of the page runs", () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(5);
  expect(readFileSync(LIBRARY, "utf8").split("```js").length - 1).toBe(EXAMPLES.length);
});

it.each(EXAMPLES)("example $at of the page prints the shown output", ({ code, printed }) => {
  const place = mkdtempSync(join(folder, "example-"));
  copyFileSync(LONG, join(place, "session.jsonl"));
  const library = pathToFileURL(join(root, "dist", "library.mjs")).href;
  writeFileSync(join(place, "example.mjs"), code.replace('from "context-replay"', `from ${JSON.stringify(library)}`));
  expect(execFileSync(process.execPath, ["example.mjs"], { cwd: place, encoding: "utf8" })).toBe(printed);
});

it("the library's numbers equal those of the command line", async () => {
  const session = await open(LONG);
  const choice = { policy: "codex", settings: { autoCompactLimit: 200_000 } };
  const set = ["--policy", "codex", "--set", "autoCompactLimit=200000"];
  const same = async (answer: unknown, args: readonly string[]) => {
    // The line to paste into an agent is text of the command line, not a number.
    const printed = jsonLines((await run([...args, "--json"])).out).map((row) => ({
      ...Object(row),
      settingToType: undefined,
    }));
    expect(JSON.parse(JSON.stringify(answer))).toEqual(printed);
  };
  await same([await replay(session, choice)], ["replay", LONG, ...set]);
  const { runs, ...rest } = await compare(session, [choice, { policy: "none" }]);
  await same([...runs, rest], ["compare", LONG, ...set, "--policy", "none"]);
  const vary = [{ key: "triggerShare", from: 0.5, to: 0.9, step: 0.1 }];
  await same(await sweep(session, { policy: "custom", vary }), [
    ...["sweep", LONG, "--policy", "custom", "--vary", "triggerShare=0.5:0.9:0.1"],
  ]);
});

it("registered entries are found by id, and an id is registered only once", () => {
  expect(version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  for (const [registry, id] of [
    [policies, "codex"],
    [readers, "chat"],
    [estimators, "bytes-4"],
  ] as const) {
    expect(registry.ids()).toContain(id);
    expect(registry.get("nobody's")).toBeUndefined();
  }
  const [policy, reader, rule] = [policies.get("codex"), readers.get("chat"), estimators.get("bytes-4")];
  if (policy === undefined || reader === undefined || rule === undefined) throw new Error("they are there");
  expect(() => policies.add(policy)).toThrow("already");
  expect(() => readers.add(reader)).toThrow("already");
  expect(() => estimators.add("bytes-4", rule)).toThrow("already");
});

it("an unreadable file and a session that was not opened are rejected with one sentence", async () => {
  await expect(open(join(folder, "nowhere.jsonl"))).rejects.toMatchObject({ name: "InputError" });
  const { path, summary } = await open(LONG);
  expect(() => replay({ path, summary }, { policy: "none" })).toThrow(TypeError);
});
