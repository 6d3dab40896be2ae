import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeColumns } from "@/lib/core/columns/codec";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { recordedBreakdown } from "@/lib/queries/contexts/breakdown";
import { breakdown, fidelityTable, replayResult } from "@/lib/queries/contract/schemas";
import { chosenOf, preparePolicy } from "@/lib/queries/session/session-context";
import { windowUnderProfile } from "@/lib/server/read/numbers/overhead";
import { parseProfile } from "@/lib/server/store/context-profile";
import { put } from "@/lib/server/testing/files";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { commandLine } from "../testing/program";

const { run, folder, good, bad } = commandLine();

describe("breakdown with a context profile", () => {
  const profile = (value: unknown) => put(folder, "profile.json", JSON.stringify(value));

  it("lists overhead from the profile by category", async () => {
    const tools = [
      { name: "Read", schema: { name: "Read" } },
      { name: "query", server: "db", schema: 9 },
    ];
    const given = profile({ systemPrompt: 40, tools, memoryFiles: [{ path: "CLAUDE.md", content: "1234" }] });
    const { code, out } = await run(["breakdown", good, "--overhead", given, "--preset", "ours", "--json"]);
    const { categories, preset, total } = breakdown.parse(JSON.parse(out));
    expect([code, preset, total]).toEqual([0, "ours", { tokens: 108, kind: "recorded" }]);
    expect(categories.slice(0, 5).map(({ id, tokens, items }) => [id, tokens, items])).toEqual([
      ["systemPrompt", 40, undefined],
      ["builtinTools", 4, [{ name: "Read", tokens: 4 }]],
      ["mcpTools", 9, [{ name: "db__query", tokens: 9 }]],
      ["memoryFiles", 1, [{ name: "CLAUDE.md", tokens: 1 }]],
      ["overheadInferred", 53, undefined],
    ]);
    const replayed = await run(["replay", good, "--policy", "none", "--overhead", given, "--json"]);
    expect(replayResult.parse(JSON.parse(replayed.out)).series.byCategory.mcpTools).toEqual([9]);
    expect((await run(["breakdown", good, "--overhead", given, "--preset", "ours", "--view", "detail"])).out).toContain(
      "└ db__query",
    );
  });

  it("Qwen Code's report separates long names from numbers, and takes the model from --model", async () => {
    const name = "a_tool_with_a_name_that_is_longer_than_its_column";
    const asked = ["--overhead", profile({ tools: [{ name, schema: 9 }] }), "--view", "detail"];
    for (const preset of ["as-documented", "current"]) {
      const args = ["breakdown", "docs/rules/qwen-first.jsonl", ...asked, "--preset", `qwen-code@${preset}`];
      const { out } = await run(args);
      expect(out).toMatch(new RegExp(`└ ${name} +9 tokens`));
      expect(out).toContain("Model: unknown ");
      expect((await run([...args, "--model", "glm-5"])).out).toContain("Model: glm-5 ");
    }
  });

  it("uses the window of OpenClaw's configuration, like every other command", async () => {
    const responses = [30_000, 60_000, 75_000, 95_000].flatMap((input, at) => [
      { role: "user", content: "Pears?" },
      { role: "assistant", model: "claude-opus-4-5", content: "Pears.", usage: { input, output: 9, at } },
    ]);
    const entries = [{ type: "custom", customType: "model-snapshot" }, ...responses.map((message) => ({ message }))];
    const rows = entries.map((entry, at) => ({
      ...{ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}` },
      ...{ timestamp: `2026-10-05T09:00:0${at}.000Z`, ...entry },
    }));
    const header = { type: "session", version: 3, id: "s", timestamp: "2026-10-05T09:00:00.000Z", cwd: "/home/mia" };
    const file = put(folder, "claw.jsonl", [header, ...rows].map((row) => JSON.stringify(row)).join("\n"));
    const model = { id: "claude-opus-4-5", contextWindow: 120_000 };
    const models = { providers: { anthropic: { models: [model] } } };
    const config = { models, agents: { defaults: { contextTokens: 90_000 } } };
    const given = ["--overhead", profile({ config })];
    const windowOf = async (...args: string[]) => {
      const { out } = await run([args[0] ?? "", file, ...args.slice(1), ...given, "--json"]);
      return z.object({ window: z.object({ tokens: z.int() }) }).parse(JSON.parse(out.split("\n")[0] ?? "")).window
        .tokens;
    };
    // 2026.9.6 does not cap a window by the agents' limit.
    for (const [preset, tokens] of [
      ["as-documented", 90_000],
      ["current", 120_000],
    ] as const) {
      const policy = ["--policy", `openclaw@${preset}`];
      expect(await windowOf("breakdown", "--preset", `openclaw@${preset}`)).toBe(tokens);
      expect(await windowOf("replay", ...policy)).toBe(tokens);
      expect(await windowOf("compare", ...policy, ...policy)).toBe(tokens);
      expect(await windowOf("contributors", ...policy)).toBe(tokens);
    }
    const { out } = await run(["replay", file, "--policy", "openclaw", ...given, "--json"]);
    const { thresholdTokens, compactions, totals } = replayResult.parse(JSON.parse(out));
    expect([thresholdTokens, totals.requestsOverWindow]).toEqual([70_000, 0]);
    expect(compactions.map(({ request }) => request)).toEqual([3]);
    const swept = await run(["sweep", file, "--policy", "openclaw", "--vary", "keepRecentTokens=100:100:1", ...given]);
    expect(swept.out).toContain("compactions 1");
    const limited = { models: { providers: { anthropic: { models: [{ ...model, contextTokens: 90_000 }] } } } };
    // Each prediction method predicts one compaction.
    const alarms = async (...args: string[]) =>
      fidelityTable.parse(JSON.parse((await run(["fidelity", file, ...args, "--json"])).out)).alarms.length;
    expect([await alarms(), await alarms("--overhead", profile({ config: limited }))]).toEqual([0, 2]);
  });

  it("page and command line show the same window and limit for every pair of presets", async () => {
    const model = { id: "claude-opus-4-5", contextWindow: 150_000, contextTokens: 120_000 };
    const config = {
      models: { providers: { anthropic: { models: [model] } } },
      agents: { defaults: { contextTokens: 110_000 } },
    };
    const runner = new LocalRunner();
    // Rules of the releases: one cap for all agents until 2026.8; a model's own limit from 2026.5.7 on.
    const windows = {
      "as-documented": 110_000,
      "release-2026-02": 110_000,
      "release-2026-05": 110_000,
      current: 120_000,
    };
    for (const [month, recorded] of [
      ["2025-12", "as-documented"],
      ["2026-02", "release-2026-02"],
      ["2026-05", "release-2026-05"],
      ["2026-10", "current"],
    ] as const) {
      const home = join(folder, `home-${month}`);
      mkdirSync(join(home, "agents", "main", "sessions"), { recursive: true });
      const message = { role: "assistant", model: model.id, content: "Pears.", usage: { input: 900, output: 9 } };
      const rows = [
        { type: "session", version: 3, id: "s", timestamp: `${month}-05T09:00:00.000Z`, cwd: "/home/mia" },
        {
          type: "custom",
          customType: "model-snapshot",
          id: "e1",
          parentId: null,
          timestamp: `${month}-05T09:00:01.000Z`,
        },
        { type: "message", id: "e2", parentId: "e1", timestamp: `${month}-05T09:00:02.000Z`, message },
      ];
      const lines = rows.map((row) => JSON.stringify(row)).join("\n");
      const beside = put(join(home, "agents", "main", "sessions"), "s.jsonl", lines);
      put(home, "openclaw.json", JSON.stringify(config));
      const alone = put(folder, `claw-${month}.jsonl`, lines);
      const given = profile({ config });
      for (const [file, used] of [
        [beside, undefined],
        [alone, { config }],
      ] as const) {
        const { summary, columns } = await runner.ingest({ path: file });
        const read = { summary, columns: decodeColumns(columns) };
        const contextWindow = await windowUnderProfile(read, used && parseProfile(used));
        expect(contextWindow.tokens).toBe(windows[recorded]);
        const counted = countedBySize(read.columns, "bytes-4");
        const page = recordingOf({ ...summary, contextWindow }, counted);
        for (const [preset, tokens] of Object.entries(windows)) {
          const choice = { policy: "openclaw", preset };
          const prepared = preparePolicy(choice, page);
          const options = ["--policy", `openclaw@${preset}`, "--json", ...(used ? ["--overhead", given] : [])];
          const { out } = await run(["replay", file, ...options]);
          const { window, thresholdTokens } = replayResult.parse(JSON.parse(out));
          const limit = prepared.policy.threshold?.(chosenOf(prepared));
          expect([prepared.window, limit], `${recorded} as ${preset}`).toEqual([window, thresholdTokens]);
          expect(window.tokens, `${recorded} as ${preset}`).toBe(tokens);
          const broken = await run(["breakdown", file, "--preset", `openclaw@${preset}`, ...options.slice(2)]);
          const shown = recordedBreakdown({ at: "last", preset }, page);
          expect([shown.window, shown.threshold]).toEqual([window, (thresholdTokens ?? 0) / tokens]);
          expect(breakdown.parse(JSON.parse(broken.out)).window).toEqual(window);
        }
      }
    }
    await runner.close();
  });

  it("reports a reserve larger than the window, and does not count rejected requests as compactions", async () => {
    const given = ["--policy", "openclaw", "--counting", "estimate"];
    const small = await run(["replay", good, ...given, "--window", "16000"]);
    // 16,000 less the reserve of 20,000.
    const sentence =
      "The reserve leaves no room in the window of 16,000: the limit is −4,000, which every context exceeds.";
    expect(small.out).toContain(sentence);
    const compared = await run(["compare", good, ...given, "--policy", "none", "--window", "16000"]);
    expect(compared.out).toContain(`openclaw@as-documented: ${sentence}`);
    const blocked = await run(["replay", good, ...given, "--window", "15999", "--json"]);
    const { refused, compactions } = replayResult.parse(JSON.parse(blocked.out));
    expect([refused, compactions]).toEqual([[0], []]);
    const refusedRun = await run(["replay", good, ...given, "--window", "15999"]);
    expect(refusedRun.out).toContain("Refused by the agent and not sent, without a compaction: 1 request (0).");
  });

  it("takes the overhead from a recorded API request, with its system prompt and tools", async () => {
    const tools = [
      { name: "Read", input_schema: {} },
      { name: "mcp__db__query", input_schema: {} },
    ];
    const body = {
      model: "claude-opus-4-6",
      max_tokens: 9,
      system: "x".repeat(40),
      tools,
      messages: [{ role: "user", content: "Hi." }],
    };
    const answer = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: [{ type: "text", text: "Hello." }],
      usage: { input_tokens: 50, output_tokens: 3 },
    };
    const log = put(folder, "log.jsonl", JSON.stringify({ request: body, response: answer }));
    const { code, out } = await run(["breakdown", good, "--overhead", log, "--preset", "ours", "--json"]);
    const { categories } = breakdown.parse(JSON.parse(out));
    expect([code, categories.find(({ id }) => id === "systemPrompt")?.tokens]).toEqual([0, 10]);
    expect(categories.find(({ id }) => id === "mcpTools")?.items?.map(({ name }) => name)).toEqual(["db__query"]);
  });

  it("names every invalid field of a profile, and a missing profile file", async () => {
    const wrong = profile({ systemPrompt: true, tools: [{ schema: 1 }], other: 1 });
    const refused = await run(["breakdown", good, "--overhead", wrong]);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toMatch(/systemPrompt: must be a text or a whole number of tokens; tools\[0\]\.name: .*other/);
    expect((await run(["breakdown", good, "--overhead", join(folder, "absent.json")])).code).toBe(3);
    expect((await run(["breakdown", good, "--overhead", bad])).code).toBe(2);
    expect((await run(["breakdown", good, "--preset", "codex"])).code).toBe(2);
  });
});

it.each(["codex/compact-commands.jsonl", "claude-code/advisor-passes.jsonl"])(
  "shares of a window of one token are finite numbers: %s",
  async (name) => {
    const { out } = await run([
      "breakdown",
      join("lib", "agents", ...name.split("/").toSpliced(1, 0, "fixtures")),
      "--window",
      "1",
      "--json",
    ]);
    const { window, categories } = breakdown.parse(JSON.parse(out));
    expect(window.tokens).toBe(1);
    expect(categories.every(({ share }) => Number.isFinite(share))).toBe(true);
  },
);
