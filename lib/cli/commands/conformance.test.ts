import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put } from "@/lib/server/testing/files";
import { commandLine } from "../testing/program";

const { run, folder } = commandLine();

describe("conformance", () => {
  it("runs cases with an adapter, lists the others as skipped, and fails on a wrong result", async () => {
    const cases = join(folder, "golden");
    const file = (system: string, name: string, list: readonly object[]) => {
      mkdirSync(join(cases, system, "reported"), { recursive: true });
      const golden = { system, preset: "reported", function: name, cases: list };
      put(join(cases, system, "reported"), `${name}.json`, JSON.stringify(golden));
    };
    file("claude-code", "project-slug", [{ id: "a", input: "/a b", expected: "-a-b" }]);
    file("another", "anything", [{ id: "b", input: 1, expected: 2 }]);
    expect(await run(["conformance", cases])).toMatchObject({
      code: 0,
      out: [
        "another@reported anything: 1 skipped, not implemented",
        "claude-code@reported project-slug: 1 passed, 0 failed",
        "1 passed, 0 failed, 1 skipped\n",
      ].join("\n"),
    });
    file("claude-code", "project-slug", [{ id: "a", input: "/a b", expected: "wrong" }]);
    const failed = await run(["conformance", cases]);
    expect([failed.code, failed.out.includes("  a: answer: got")]).toEqual([1, true]);
  });

  it("replaces control characters of a case file in its output", async () => {
    const cases = join(folder, "hostile");
    mkdirSync(cases);
    const golden = { system: "claude-code", preset: "re\u001b[31mported", function: "project-slug" };
    put(
      cases,
      "a.json",
      JSON.stringify({ ...golden, cases: [{ id: "a\u001b[2J", input: "/a b", expected: "\u009b" }] }),
    );
    put(
      cases,
      "b.json",
      JSON.stringify({ ...golden, function: "b\u001b[2J", cases: [{ id: "b", input: 1, expected: 1 }] }),
    );
    const { code, out } = await run(["conformance", cases]);
    expect([code, out.match(/[^\n\P{Cc}]/gu)]).toEqual([1, null]);
  });

  it("runs the project's own cases if no folder is given", async () => {
    const { code, out } = await run(["conformance"], "", { CONTEXT_REPLAY_ROOT: process.cwd() });
    expect(out.trim().split("\n").at(-1)).toBe("4129 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
  });

  it("reports a path that does not exist", async () => {
    expect(await run(["conformance", "/nowhere/at/all"])).toMatchObject({ code: 3, out: "" });
    const empty = join(folder, "no-cases");
    mkdirSync(empty);
    expect(await run(["conformance", empty])).toMatchObject({ code: 3, out: "" });
  });

  it("names a file that holds no cases", async () => {
    const cases = join(folder, "no-golden");
    mkdirSync(cases);
    put(cases, "list.json", '[{"role":"user"}]');
    const sentence = "context-replay: list.json holds no golden cases.\n";
    expect(await run(["conformance", cases])).toMatchObject({ code: 3, out: "", err: sentence });
    expect(await run(["conformance", join(cases, "list.json")])).toMatchObject({ code: 3, out: "", err: sentence });
    put(cases, "cut.json", '{"system":');
    expect((await run(["conformance", cases])).err).toContain("cut.json holds no golden cases");
  });
});
