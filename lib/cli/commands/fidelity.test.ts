import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
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
      expect(await verdictOf(header, ...lines)).toEqual([["untold", "usage"]]);
      expect(await verdictOf(...lines)).toEqual([["untold", "trimmed"]]);
      expect(await verdictOf(...lines, usage(9000))).toEqual([["miss", null]]);
    });
  });

  it.each([
    ["roo-code", "condensed.json"],
    ["crush", "compacted.jsonl"],
    ["hermes", "compacted-in-place.jsonl"],
    ["mistral-vibe", "compacted-before-2-18.jsonl"],
    ["openhands", "condensations-of-sdk.jsonl"],
    ["copilot-cli", "background-compaction.jsonl"],
  ])("states that compactions of %s cannot be determined without usage", async (agent, name) => {
    const { out } = await run(["fidelity", join("lib", "agents", agent, "fixtures", name)]);
    expect(out).toContain("cannot be determined (no recorded usage)");
    expect(out).not.toMatch(/\bmiss$/m);
  });

  it("decides a compaction without usage if the agent compares a count of its own", async () => {
    const { out } = await run([
      "fidelity",
      join("lib", "agents", "clawdcode", "fixtures", "compactions.jsonl"),
      "--json",
    ]);
    expect(fidelityTable.parse(JSON.parse(out)).boundaries.map(({ missing }) => missing)).not.toContain("usage");
  });

  describe("a compaction recorded with usage is predicted from the limit on", () => {
    const verdictsOf = async (name: string, lines: readonly object[]) => {
      const file = join(folder, name);
      writeFileSync(
        file,
        name.endsWith(".json") ? JSON.stringify(lines) : lines.map((line) => JSON.stringify(line)).join("\n"),
      );
      const { out } = await run(["fidelity", file, "--json"]);
      const { boundaries } = fidelityTable.parse(JSON.parse(out));
      return boundaries.map(({ threshold, reanchored }) => [threshold, reanchored.verdict]);
    };

    // Window 128,000: 78,000 is the smaller of 0.85 of it and what leaves 50,000 free. The output of 40 counts, and 2 tokens of the result.
    it.each([
      [77_957, "miss"],
      [77_958, "hit"],
    ])("Kimi CLI: %d sent is a %s", async (sent, verdict) => {
      let timestamp = 1_772_352_000;
      const event = (type: string, payload: object = {}) => {
        timestamp += 1;
        return { timestamp, message: { type, payload } };
      };
      const usage = (input_other: number) => {
        const token_usage = { input_other, output: 40, input_cache_read: 0, input_cache_creation: 0 };
        return event("StatusUpdate", { context_tokens: input_other, max_context_tokens: 128_000, token_usage });
      };
      const call = (id: string) => [
        event("ToolCall", { type: "function", id, function: { name: "Grep", arguments: "{}" } }),
        event("ToolResult", { tool_call_id: id, return_value: { is_error: false, output: "3 errors", message: "" } }),
      ];
      const lines = [
        { type: "metadata", protocol_version: "1.10" },
        ...[event("TurnBegin", { user_input: "Read it." }), event("StepBegin", { n: 1 }), ...call("a"), usage(9000)],
        ...[event("StepBegin", { n: 2 }), ...call("b"), usage(sent), event("StepBegin", { n: 3 })],
        ...[event("CompactionBegin"), event("CompactionEnd")],
        ...[event("ContentPart", { type: "text", text: "Done." }), usage(10_000), event("TurnEnd")],
      ];
      expect(await verdictsOf(`kimi-${sent}.jsonl`, lines)).toEqual([[78_000, verdict]]);
    });

    // 0.8 of 128,000 is 102,400, compared with input and output of the last request.
    it.each([
      [102_389, "miss"],
      [102_390, "hit"],
    ])("Copilot CLI, captured: %d sent is a %s", async (inputTokens, verdict) => {
      let count = 0;
      const event = (type: string, data: object) => {
        count += 1;
        const timestamp = `2026-09-14T08:00:${String(count).padStart(2, "0")}.000Z`;
        return { type, data, id: `e${count}`, parentId: count === 1 ? null : `e${count - 1}`, timestamp };
      };
      const turn = (content: string, sent: number) => [
        event("user.message", { content, attachments: [] }),
        event("assistant.message", { messageId: content, content: "Read.", toolRequests: [] }),
        event("assistant.usage", { model: "gpt-5.5", inputTokens: sent, outputTokens: 10, cacheReadTokens: 0 }),
      ];
      const lines = [
        event("session.start", { sessionId: "s", version: 1, producer: "copilot-agent", copilotVersion: "1.0.1" }),
        event("session.usage_info", { tokenLimit: 128_000, currentTokens: 9000, messagesLength: 2 }),
        ...[...turn("First.", 9000), ...turn("Second.", inputTokens), event("session.compaction_start", {})],
        event("session.compaction_complete", { success: true, summaryContent: "Read.", preCompactionTokens: 102_400 }),
        ...turn("Third.", 8000),
      ];
      expect(await verdictsOf(`copilot-${inputTokens}.jsonl`, lines)).toEqual([[102_400, verdict]]);
    });

    // 0.8 of DeepSeek's 1,000,000. The output of 20 counts, and 12 for the prompt: 4 for its text, its block and its message each.
    it.each([
      [799_967, "miss"],
      [799_968, "hit"],
    ])("DeepSeek Harness: %d sent is a %s", async (inputTokens, verdict) => {
      let seq = -1;
      const row = (type: string, data: object, more: object = {}) => {
        seq += 1;
        return { type, seq, time: 1_772_445_601_000 + seq, data, ...more };
      };
      const user = (text: string) =>
        row(
          "user/message",
          { role: "user", id: `u${seq}`, content: [{ type: "text", text }], source: { kind: "user" } },
          { surfaceOp: "append" },
        );
      const answer = (sent: number) => {
        const source = { kind: "model", provider: "deepseek-official", model: "deepseek-v4-flash" };
        const message = { role: "assistant", id: `a${seq}`, content: [{ type: "text", text: "Ported." }], source };
        const usage = { inputTokens: sent, outputTokens: 20 };
        return row("assistant/message", { turn: 1, step: 1, message, usage }, { surfaceOp: "append" });
      };
      const lines = [
        { type: "session", version: 0, id: "d", createdAt: 1_772_445_600_000, cwd: "/", delegationDepth: 0 },
        ...[user("x".repeat(1_400_000)), answer(400_000), user("x".repeat(1_400_000)), answer(inputTokens)],
        ...[user("Now the parser"), row("compaction/start", { compactionId: "k", turn: 2 })],
        row("compaction/summary", {
          compactionId: "k",
          summary: [{ type: "text", text: "Lexer." }],
          shadowedSeqs: [0, 1],
        }),
        row(
          "user/message",
          {
            role: "user",
            id: "k",
            content: [{ type: "text", text: "Lexer." }],
            source: { kind: "plugin", plugin: "compact", compactionId: "k" },
          },
          { surfaceOp: { op: "replace", start: 0, end: 1 } },
        ),
        ...[row("compaction/end", { compactionId: "k", turn: 2 }), answer(400_100)],
      ];
      expect(await verdictsOf(`dsh-${inputTokens}.jsonl`, lines)).toEqual([[800_000, verdict]]);
    });

    /** A task of four prompts and their responses, 10 seconds apart, with the screen beside it. */
    const task = (name: string, state: string, screen: (begin: number) => readonly object[]) => {
      const begin = Date.UTC(2026, 0, 1);
      const environment = { type: "text", text: `<environment_details>\n${state}\n</environment_details>` };
      const messages = [0, 1, 2, 3].flatMap((turn) => [
        {
          role: "user",
          content: [{ type: "text", text: `Step ${turn}` }, environment],
          ts: begin + 10_000 * turn + 1000,
        },
        { role: "assistant", content: [{ type: "text", text: "Done." }], ts: begin + 10_000 * turn + 2000 },
      ]);
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "ui_messages.json"), JSON.stringify(screen(begin)));
      return [join(name, "api_conversation_history.json"), messages] as const;
    };
    const shown = (text: object, more: object) => ({
      type: "say",
      say: "api_req_started",
      text: JSON.stringify(text),
      ...more,
    });

    // Without a window, Cline's rule for 128,000 holds: 98,000 sent and received. The first half after two messages are the positions 2 and 3.
    it.each([
      [97_989, "miss"],
      [97_990, "hit"],
    ])("Cline, with its screen: a truncation after %d sent is a %s", async (sent, verdict) => {
      const at = (ts: number, index: number, isLast = false) => ({
        ...{ ts, conversationHistoryIndex: index },
        ...(isLast ? { conversationHistoryDeletedRange: [2, 3] } : {}),
      });
      const usage = (tokensIn: number) => ({ tokensIn, tokensOut: 10, cacheWrites: 0, cacheReads: 0 });
      const [name, list] = task(`cline-${sent}`, "ACT MODE", (ts) => [
        ...[shown(usage(50_000), at(ts, -1)), shown(usage(60_000), at(ts, 1)), shown(usage(sent), at(ts, 3))],
        ...[shown(usage(70_000), at(ts, 5)), { type: "say", say: "text", text: "Done.", ...at(ts, 6, true) }],
      ]);
      expect(await verdictsOf(name, list)).toEqual([[98_000, verdict]]);
    });

    // Without a window, 0.9 × 200,000 less an answer of 8,192 has to be exceeded.
    it.each([
      [171_000, "miss"],
      [172_000, "hit"],
    ])("Roo Code, with its screen: a summary after %d sent is a %s", async (sent, verdict) => {
      const usage = (tokensIn: number) => ({
        apiProtocol: "anthropic",
        tokensIn,
        tokensOut: 10,
        cacheWrites: 0,
        cacheReads: 0,
      });
      const sizes = [50_000, 60_000, sent, 20_000];
      const [name, messages] = task(`roo-${sent}`, "<slug>code</slug>", (begin) =>
        sizes.map((size, turn) => shown(usage(size), { ts: begin + 10_000 * turn })),
      );
      const ts = (messages[6]?.ts ?? 0) + 10;
      const list = [
        ...messages.slice(0, 7).map((message) => ({ ...message, condenseParent: "k" })),
        {
          role: "user",
          content: [{ type: "text", text: "## Conversation Summary" }],
          ts,
          isSummary: true,
          condenseId: "k",
        },
        ...messages.slice(7),
      ];
      expect(await verdictsOf(name, list)).toEqual([[171_809, verdict]]);
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

  it("names agents without a known policy, whose compactions are not compared", async () => {
    const droid = join("lib", "agents", "factory-droid", "fixtures");
    const { code, out, err } = await run(["fidelity", droid]);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toBe("context-replay: 6 sessions are not compared: no policy of Factory Droid is known.\n");
    const both = await run(["fidelity", join(droid, "compacted-in-place.jsonl"), join(fixtures, "compaction.jsonl")]);
    expect(both.out).toContain("claude-code@reported");
    expect(both.err).toBe("context-replay: 1 session is not compared: no policy of Factory Droid is known.\n");
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
