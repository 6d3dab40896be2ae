import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fidelityTable } from "@/lib/queries/contract/schemas";
import { commandLine } from "../testing/program";

const { run, folder, good, bad } = commandLine();

const PI_RECORDINGS = join("..", "shared", "transcripts", "pi");

describe("fidelity", () => {
  const fixtures = join("lib", "agents", "claude-code", "fixtures");

  it("checks the recordings of a folder, and skips other files", async () => {
    const { code, out, err } = await run(["fidelity", fixtures, "--json"]);
    const { rows, boundaries } = fidelityTable.parse(JSON.parse(out));
    expect(rows.map(({ preset }) => preset)).toEqual(["2026-11", "reported", "reported-2025"]);
    expect(boundaries.filter(({ file }) => file === "compaction.jsonl")).toHaveLength(3);
    expect([code, err]).toEqual([0, ""]);
  });

  it("predicts idle compactions only if the policy's idle rule is on", async () => {
    const file = join(fixtures, "idle-compactions.jsonl");
    const verdicts = async (...args: string[]) => {
      const { out } = await run(["fidelity", file, "--json", ...args]);
      const { boundaries } = fidelityTable.parse(JSON.parse(out));
      return boundaries.map(({ reanchored, missing }) => [reanchored.verdict, missing]);
    };
    expect(await verdicts()).toEqual([
      ["untold", "idle"],
      ["untold", "idle"],
      ["manual", null],
    ]);
    expect(await verdicts("--set", "idleMinutes=54")).toEqual([
      ["hit", null],
      ["hit", null],
      ["manual", null],
    ]);
  });

  describe("a recorded compaction that the policy does not predict", () => {
    const MASK = "[REDACTED_OUTPUT len=650000 sha=74dc]";
    const event = (type: string, payload: object) =>
      JSON.stringify({ timestamp: "2026-01-05T10:00:00Z", type, payload });
    const message = (role: string, text: string) =>
      event("response_item", { type: "message", role, content: [{ type: "text", text }] });
    const usage = (input_tokens: number) =>
      event("event_msg", {
        type: "token_count",
        info: {
          last_token_usage: { input_tokens, output_tokens: 10 },
          total_token_usage: { input_tokens, output_tokens: 10 },
        },
      });
    const header = event("session_meta", { id: "s", cwd: "/home/mia" });
    const call = event("response_item", { type: "function_call", name: "shell", arguments: "{}", call_id: "c" });
    const result = (output: string) => event("response_item", { type: "function_call_output", call_id: "c", output });
    const end = [event("compacted", { message: "Pears." }), message("user", "go on"), message("assistant", "yes")];
    const model = event("turn_context", { model: "gpt-5.1-codex" });

    const verdictOf = async (...lines: readonly string[]) => {
      const file = join(folder, "rollout-evidence.jsonl");
      writeFileSync(file, [...lines, ...end].join("\n"));
      const { out } = await run(["fidelity", file, "--json"]);
      return fidelityTable
        .parse(JSON.parse(out))
        .boundaries.map(({ reanchored, missing }) => [reanchored.verdict, missing]);
    };

    it("is a miss if all texts are known", async () => {
      expect(await verdictOf(header, model, message("user", "go"), call, usage(9000), result("2 pears"))).toEqual([
        ["miss", null],
      ]);
    });

    it.each([
      ["result", MASK],
      ["part of a result", `Exit code: 0\nOutput:\n${MASK}`],
      ["result without its length", "REDACTED"],
    ])("cannot be determined after a masked %s", async (_, output) => {
      expect(await verdictOf(header, model, message("user", "go"), call, usage(9000), result(output))).toEqual([
        ["untold", "masked"],
      ]);
    });

    it("cannot be determined after a masked message", async () => {
      const lines = [message("user", "go"), message("assistant", "yes"), usage(9000), message("user", "[redacted]")];
      expect(await verdictOf(header, model, ...lines)).toEqual([["untold", "masked"]]);
    });

    it("cannot be determined in a Codex file without its beginning, unless usage is recorded", async () => {
      const lines = [model, message("user", "go"), message("assistant", "yes")];
      expect(await verdictOf(header, ...lines)).toEqual([["miss", null]]);
      expect(await verdictOf(...lines)).toEqual([["untold", "trimmed"]]);
      expect(await verdictOf(...lines, usage(9000))).toEqual([["miss", null]]);
    });
  });

  it("applies --set to every policy that has the setting", async () => {
    const file = join(fixtures, "compaction.jsonl");
    const limits = await Promise.all(
      [[], ["--set", "autoBuffer=25000"]].map(async (args) => {
        const { out } = await run(["fidelity", file, "--json", ...args]);
        return fidelityTable.parse(JSON.parse(out)).boundaries[0]?.threshold;
      }),
    );
    expect(limits).toEqual([167_000, 155_000]);
  });

  it("adds a line to inspect's output if compactions are recorded", async () => {
    const { out } = await run(["inspect", join(fixtures, "compaction.jsonl"), good]);
    expect(out.match(/^ {2}own policy .*$/gm)).toEqual([
      "  own policy (reported, limit 167,000): re-anchored 1 of 2 met, 0 false alarms; free-running 1 of 2 met, 0 false alarms",
    ]);
  });

  it("uses the rules of the release that the file names", async () => {
    const pi = join("lib", "agents", "pi", "fixtures");
    const { out } = await run(["fidelity", join(pi, "version-1.jsonl"), "--json"]);
    expect(fidelityTable.parse(JSON.parse(out)).rows.map(({ preset }) => preset)).toEqual(["v0.51.0"]);
  });

  describe.skipIf(!existsSync(PI_RECORDINGS))("fidelity of pi's recordings", () => {
    it.each(existsSync(PI_RECORDINGS) ? readdirSync(PI_RECORDINGS) : [])(
      "predicts the recorded compactions above the limit of %s",
      async (name) => {
        const { out } = await run(["fidelity", join(PI_RECORDINGS, name), "--json"]);
        const { rows, boundaries } = fidelityTable.parse(JSON.parse(out));
        expect(rows).toMatchObject([{ policy: "pi", preset: "v0.51.0", reanchored: { falseAlarms: 0 } }]);
        // A compaction below the limit was requested by a person, which the file does not record.
        const expected = boundaries.map(({ tokensBefore, threshold }) => (tokensBefore ?? 0) > (threshold ?? 0));
        expect(boundaries.map(({ reanchored }) => reanchored.verdict === "hit")).toEqual(expected);
      },
    );
  });

  it("prints a table if --json is absent", async () => {
    const { out } = await run(["fidelity", join(fixtures, "compaction.jsonl")]);
    expect(out).toMatch(/^preset +sessions +recorded/);
    expect(out).toMatch(/claude-code@reported +1 +3 +1 +re-anchored/);
  });

  it.each([
    [["fidelity", fixtures, "--set", "nope=1"], 2],
    [["fidelity", join(fixtures, "compaction.jsonl"), "--set", "autoBuffer=-1"], 2],
    [["fidelity", join(folder, "absent")], 3],
    [["fidelity", bad], 3],
  ])("arguments %j exit with %d", async (args, expected) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([expected, ""]);
    expect(err).toMatch(/^context-replay: .+\n$/);
  });
});
