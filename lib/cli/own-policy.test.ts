import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restated } from "@/lib/sandbox/testing/policies";
import { put } from "@/lib/server/testing/files";
import { commandLine, jsonLines, LONG } from "./testing/program";

const { run, folder, good } = commandLine();
const CUSTOM = put(folder, "mine.mjs", restated("@/lib/core/compaction/policies/custom", "customPolicy"));

/** Output of a command, with the policy under one name. */
async function printed(args: readonly string[], policy: string): Promise<unknown> {
  const { code, out, err } = await run(args.map((arg) => arg.replace("POLICY", policy)));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(`[${out.trim().replaceAll("\n", ",")}]`.replaceAll('"mine"', '"custom"'));
}

describe("a user's policy that restates a built-in one", () => {
  it.each([
    [["replay", LONG, "--policy", "POLICY", "--set", "triggerShare=0.4", "--json"]],
    [["replay", LONG, "--policy", "POLICY@default", "--at", "28", "--set", "triggerShare=0.3", "--json"]],
    [["replay", LONG, "--policy", "POLICY", "--set", "triggerShare=0.3", "--at", "24", "--texts", "--json"]],
    [
      [
        "compare",
        LONG,
        "--policy",
        "POLICY",
        "--set",
        "triggerShare=0.4",
        "--policy",
        "none",
        "--on",
        "gpt-5",
        "--json",
      ],
    ],
    [["sweep", LONG, "--policy", "POLICY", "--vary", "triggerShare=0.2:0.8:0.3", "--regret", "--json"]],
    [["recommend", LONG, "--policy", "POLICY", "--vary", "triggerShare=0.2:0.8:0.3", "--json"]],
    [["check", LONG, "--policy", "POLICY", "--set", "triggerShare=0.4", "--budget", "requestsOverWindow==0", "--json"]],
    [["ledger", LONG, "--policy", "POLICY", "--set", "triggerShare=0.3", "--json"]],
    [["contributors", LONG, "--policy", "POLICY", "--set", "triggerShare=0.3", "--json"]],
  ])("gives the same answer as the built-in policy in %s", async (args) => {
    expect(await printed(args, CUSTOM)).toEqual(await printed(args, "custom"));
  });

  it("can be compared with another version of itself", async () => {
    mkdirSync(join(folder, "before"));
    const before = put(
      join(folder, "before"),
      "mine.mjs",
      restated("@/lib/core/compaction/policies/none", "nonePolicy"),
    );
    const { out } = await run(["compare", LONG, "--policy", before, "--policy", CUSTOM, "--json"]);
    expect(jsonLines(out)).toMatchObject([{ policy: "mine", compactions: [] }, { policy: "mine-2" }, {}]);
  });
});

describe("a user's policy that cannot be replayed", () => {
  const loop = (body: string) =>
    `export default {\n  begin: () => ({\n    before() {\n      ${body}\n    },\n  }),\n};\n`;

  it.each([
    [
      "throws.mjs",
      loop('throw new Error("not today");'),
      "throws.mjs:4: the policy threw before request 0: not today.",
    ],
    [
      "nothing.mjs",
      "export const policy = 1;",
      "nothing.mjs: there is no policy in it: its default export must be an object with begin.",
    ],
    ["custom.mjs", loop(""), "custom.mjs: there is a policy custom already; give the file another name."],
    [
      "exits.mjs",
      loop("process.exit(0);"),
      "exits.mjs:4: the policy threw before request 0: 'process' is not defined.",
    ],
  ])("is rejected with one sentence: %s", async (name, text, sentence) => {
    const refusal = { code: 2, out: "", err: `context-replay: ${sentence}\n` };
    expect(await run(["replay", good, "--policy", put(folder, name, text)])).toEqual(refusal);
  });

  it.each([
    ["compare", ["--policy", "none"]],
    ["sweep", ["--vary", "inputTruncateTokens=100:200:100"]],
    ["check", ["--budget", "requestsOverWindow==0"]],
  ])("is rejected with the same sentence by %s", async (command, more) => {
    const path = put(folder, "throws.mjs", loop('throw new Error("not today");'));
    const err = "context-replay: throws.mjs:4: the policy threw before request 0: not today.\n";
    expect(await run([command, good, ...more, "--policy", path])).toEqual({ code: 2, out: "", err });
  });

  it("is reported if its file is missing", async () => {
    expect(await run(["replay", LONG, "--policy", join(folder, "away.mjs")])).toMatchObject({ code: 3, out: "" });
    expect(await run(["replay", LONG, "--policy", put(folder, "1 2.mjs", "")])).toMatchObject({ code: 2, out: "" });
  });
});
