import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { commandLine } from "./testing/program";

const { run, good } = commandLine("main");

describe("the program", () => {
  it("says its version", async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect(await run(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});

describe("wrong arguments end with 2 and one line", () => {
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
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.1:0.5"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.5:0.1:0.1"]],
    [["sweep", good, "--policy", "custom", "--vary", "triggerShare=0.5:2:0.1"]],
    [["sweep", good, good, "--policy", "custom", "--vary", "nope=1:2:1"]],
    [["breakdown", good, "--at", "99"]],
    [["serve", "--port", "70000"]],
  ])("%j", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});
