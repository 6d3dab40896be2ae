import { describe, expect, it } from "vitest";
import { SUMMARY_PREFIX } from "@/lib/agents/codex/messages/contextual";
import { boundaryAnswer, fidelity } from "@/lib/queries/contract/schemas";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { put, temporaryFolder } from "@/lib/server/testing/files";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import {
  boundaryTextsOfSession,
  breakdownOfSession,
  contributorsOfSession,
  fidelityOfSession,
  replaySession,
} from "./session-answers";

const folder = temporaryFolder();
const path = "public/samples/claude-code-duplicate-shipments.jsonl";

async function answerOf(policyAndPreset: string, at: number, settings = {}, file = path, smaller?: number) {
  const [policy = "", preset] = policyAndPreset.split("@");
  const runner = new LocalRunner();
  const session = new OpenedSession(file, await runner.ingest({ path: file }), runner);
  const window = policy === "recorded" ? undefined : (smaller ?? 128_000);
  // Counted by the estimate alone, so that the compaction stays at its request, whatever usage the sample records.
  const choice = { policy, preset, at, settings, window, counting: "estimate" } as const;
  const answer = await boundaryTextsOfSession(session, choice);
  await runner.close();
  return boundaryAnswer.parse(answer);
}

describe("a compaction with its texts", () => {
  it("contains the history as sent; mini-claude-code's prompt follows an earlier summary", async () => {
    const { messages, prompt, report } = await answerOf("mini-claude-code", 46);
    expect(messages).toMatchObject([
      { role: "system", text: "[summary in the system prompt, 1420 tokens]", note: "simulated" },
      { role: "user", text: expect.stringMatching(/^[A-Z]/), note: null },
    ]);
    expect(prompt?.system).toMatch(/^请对以下 Agent 执行历史进行压缩总结/);
    expect(prompt?.text).toMatch(/^\[user\]\nSince the weekend some orders get two shipments/);
    expect(prompt?.text).toContain("\n\n---\n\n[assistant]\n");
    expect(report).toBeNull();
  });

  it("uses the prompt of the preset", async () => {
    const { prompt } = await answerOf("mini-claude-code@current", 57, { threshold: 0.1 });
    expect(prompt?.system).toMatch(/^你是一个 Agent 执行历史压缩器/);
  });

  it("contains ClawdCode's prompt, report and kept items in context order", async () => {
    const { messages, prompt, report, states, figures } = await answerOf("clawdcode", 38);
    expect(report).toMatch(/^✅ 压缩完成！\n\nToken 变化: 103121 → 44853 \(-56\.5%\)\n包含文件: /);
    // The program takes at most five files.
    expect(report?.split("包含文件: ")[1]?.split(", ")).toHaveLength(5);
    // The model sees every message, also those that stay.
    expect(prompt?.text).toMatch(/## Conversation History\n\[1\] user: Since the weekend/);
    expect(prompt?.text).toContain(`\n\n[${figures.messages}] `);
    expect(prompt?.text).not.toContain(`\n\n[${Number(figures.messages) + 1}] `);
    expect(messages[0]).toMatchObject({ note: "simulated" });
    expect(messages.length - 1).toBeLessThanOrEqual(states.kept.items);
    expect(messages.slice(1).every(({ text }) => text !== "")).toBe(true);
  });

  it("reports a failed summary call in ClawdCode's words", async () => {
    const { report } = await answerOf("clawdcode", 38, { failSummary: "always" });
    expect(report).toBe("⚠️ 压缩使用降级策略\n\nthe summary call failed\n\n已保留最近 30% 的消息。");
  });

  it("reports a compaction without a summary call too", async () => {
    const { prompt, report, summaryCallTokens } = await answerOf("clawdcode@current", 40);
    expect([prompt, summaryCallTokens]).toEqual([null, 0]);
    expect(report).toMatch(/^## Context compacted\n/);
  });

  it("reports ClawdCode's fallback summary as a success, as ClawdCode does", async () => {
    const { report } = await answerOf("clawdcode@current", 38, { rule: "context", failSummary: "always" });
    expect(report).toMatch(/^## Context compacted\n/);
  });

  it("has no prompt if the agent's prompt is not known", async () => {
    expect((await answerOf("claude-code", 38)).prompt).toBeNull();
  });

  it("adds the next user message after Codex's summary, which does not contain it", async () => {
    const { messages, prompt, entering } = await answerOf("codex", 21, { autoCompactLimit: 40_000 });
    expect(entering).toBe(1);
    expect(messages.at(-2)).toMatchObject({ text: `${SUMMARY_PREFIX}\n[summary, 1420 tokens]`, note: "simulated" });
    const typed = messages.at(-1);
    expect(typed).toMatchObject({ role: "user", note: null });
    expect(prompt?.messages.map(({ text }) => text)).not.toContain(typed?.text);
    expect(prompt?.messages.at(-1)).toMatchObject({ role: "assistant" });
  });

  it("appends Codex's prompt to the whole history, and puts its summary after the messages", async () => {
    const { messages, prompt, states } = await answerOf("codex", 45);
    expect(prompt).toMatchObject({ system: null, notes: ["systemOwn"] });
    expect(prompt?.text).toMatch(/^You are performing a CONTEXT CHECKPOINT COMPACTION\./);
    expect(prompt?.messages[0]).toMatchObject({ role: "user", text: expect.stringMatching(/^Since the weekend/) });
    expect(prompt?.messages.some(({ role }) => role === "assistant")).toBe(true);
    expect(states.dropped.items + states.kept.items + states.truncated.items).toBeGreaterThanOrEqual(
      prompt?.messages.length ?? 0,
    );
    expect(messages.at(-1)).toMatchObject({ text: `${SUMMARY_PREFIX}\n[summary, 1420 tokens]`, note: "simulated" });
    expect(messages).toHaveLength(11);
  });

  it("has no prompt if the provider compacts by itself", async () => {
    const remote = await answerOf("codex@current", 44);
    expect(remote.prompt).toMatchObject({ text: "", notes: ["systemOwn", "onServer"] });
    const local = await answerOf("codex@current", 44, { remote: false });
    expect(local.prompt).toMatchObject({ notes: ["systemOwn", "wordingOfDocument"] });
    expect(local.prompt?.messages).toEqual(remote.prompt?.messages);
  });

  it("sends OpenClaw's history in parts, and lists known facts of the calls", async () => {
    const { prompt, policy } = await answerOf("openclaw", 43);
    expect([policy, prompt?.system]).toEqual(["openclaw", null]);
    expect(prompt?.text).toMatch(/^Merge these partial summaries into a single cohesive summary\./);
    expect(prompt?.text).toMatch(/\n\n---\n\nThis summary covers the prefix of a split turn\./);
    expect(prompt?.notes).toEqual(["systemUnknown", "instructionsUnknown", "inPartsAsked"]);
    expect(prompt?.messages[0]).toMatchObject({ role: "user", text: expect.stringMatching(/^Since the weekend/) });
    const current = await answerOf("openclaw@current", 48);
    expect(current.prompt).toMatchObject({ text: "", notes: ["systemUnknown", "instructionsUnknown", "inParts"] });
  });

  it("flattens the history as pi and opencode do", async () => {
    const pi = await answerOf("pi", 44);
    expect(pi.prompt?.text).toMatch(/^\[User\]: Since the weekend/);
    expect(pi.prompt?.text).toMatch(/\n\n\[Assistant tool calls\]: \w+\(\w+="/);
    expect(pi.prompt?.text).toMatch(/\n\n\[Tool result\]: /);
    expect(pi.prompt?.notes).toContain("instructionsUnknown");
    const opencode = await answerOf("opencode", 39);
    expect(opencode.prompt?.text).toMatch(/^The following is the conversation history:\n\n\[User\]: Since the weekend/);
    expect(opencode.prompt?.text).toMatch(/\[Assistant tool call\]: \w+\(\{".*\}\)\n\[Tool result\]: /);
    expect(opencode.prompt?.messages).toEqual([]);
  });

  it("sends Qwen Code's history before the split, and in later versions all of it", async () => {
    const documented = await answerOf("qwen-code", 34);
    const current = await answerOf("qwen-code@current", 45);
    for (const { prompt } of [documented, current]) {
      expect(prompt).toMatchObject({ system: null, text: "", notes: ["systemUnknown", "instructionsUnknown"] });
    }
    expect(documented.states.kept.items).toBeGreaterThan(0);
    expect(documented.messages).toContainEqual({
      role: "assistant",
      text: expect.stringMatching(/^\[acknowledgement, \d+ tokens\]$/),
      note: "simulated",
    });
    expect(current.prompt?.messages.length).toBeGreaterThan(documented.prompt?.messages.length ?? 0);
  });

  it("contains no message for a failed attempt", async () => {
    const { states, messages } = await answerOf("qwen-code@current", 45, { failSummary: "always" });
    expect(states.added).toEqual({ items: 0, tokens: 0 });
    expect(messages.filter(({ note }) => note === "simulated")).toEqual([]);
  });

  it("contains no message for a summary of size zero", async () => {
    const { states, messages } = await answerOf("custom", 38, { summaryTokens: 0 });
    expect(states.added).toEqual({ items: 1, tokens: 0 });
    expect(messages.filter(({ note }) => note === "simulated")).toEqual([]);
  });

  it("shows truncated and cleared items as the agent sends them", async () => {
    const { messages, states } = await answerOf("codex", 45, { userMessageTokens: 200 });
    expect(states.truncated.items).toBe(1);
    const truncated = messages.filter(({ note }) => note === "truncated");
    expect(truncated).toHaveLength(1);
    expect(truncated[0]?.text).toMatch(/…\d+ tokens truncated…/);
    const clearing = await answerOf("custom", 40, { triggerShare: 1, clearToolResultsAfter: 20 });
    expect(clearing.states.cleared.items).toBeGreaterThan(0);
    // Items that earlier requests cleared count as kept here: their placeholders are kept.
    const placeholders = clearing.messages.filter(({ note }) => note === "cleared");
    expect(placeholders.length).toBeGreaterThan(clearing.states.cleared.items);
    expect(placeholders.every(({ text }) => text.includes("[content cleared]"))).toBe(true);
  });

  it("shows the recorded summary of a recorded compaction", async () => {
    const { messages, prompt, report } = await answerOf("recorded", 47);
    expect(messages).toMatchObject([{ role: "user", text: expect.stringContaining("What is known"), note: null }]);
    expect([prompt, report]).toEqual([null, null]);
  });
});

it("the answer and `inspect` agree on the check of the session's own policy", async () => {
  const runner = new LocalRunner();
  const answer = await runner.ingest({ path, fidelity: {} });
  const session = new OpenedSession(path, await runner.ingest({ path }), runner);
  const checked = fidelity.parse(await fidelityOfSession(session));
  expect(checked).toEqual(answer.summary.fidelity);
  expect(checked).toMatchObject({ policy: "claude-code", preset: "reported", recorded: 1 });
  await runner.close();
});

it("the answer lists files that only texts name, as ClawdCode does", async () => {
  const record = (uuid: string, type: string, more: object) =>
    JSON.stringify({ sessionId: "s", parentUuid: null, timestamp: "2026-01-01T00:00:00Z", uuid, type, ...more });
  const entry = (uuid: string, role: string, content: string) => record(uuid, role, { message: { role, content } });
  const lines = [
    entry("1", "user", "See src/b.ts and docs/d.md for this. Then src/b.ts once more."),
    entry("2", "assistant", "Reading src/a.ts first."),
    record("3", "tool_use", { tool: { id: "t", name: "Read", input: { file_path: "src/b.ts" } } }),
    record("4", "tool_result", { toolResult: { id: "t", output: "x" } }),
    entry("5", "user", "go on"),
    entry("6", "assistant", "done"),
  ];
  const path = put(folder, "session.jsonl", lines.join("\n"));
  const runner = new LocalRunner();
  const session = new OpenedSession(path, await runner.ingest({ path }), runner);
  const asked = { policy: "clawdcode", preset: "as-documented", at: 1, window: 60, counting: "estimate" } as const;
  const { files, report } = boundaryAnswer.parse(await boundaryTextsOfSession(session, { ...asked, settings: {} }));
  await runner.close();
  expect(files).toEqual(["src/b.ts", "src/a.ts", "docs/d.md"]);
  expect(report).toContain("包含文件: src/b.ts, src/a.ts, docs/d.md");
});

it("the answer shows opencode's error for a call without a result", async () => {
  const file = "docs/rules/opencode-interrupted.jsonl";
  const { messages } = await answerOf(
    "opencode",
    2,
    { maxOutputTokens: 127_900, tailTurns: 3, preserveRecentTokens: 110 },
    file,
  );
  expect(messages.map(({ role, text }) => `${role}: ${text}`)).toContain("user: [Tool execution was interrupted]");
});

it("the answer shows pi's stand-in for a call without a result, and omits aborted responses", async () => {
  const given = { keepRecentTokens: 48, reserveTokens: 127_955 };
  const { messages } = await answerOf("pi", 3, given, "docs/rules/pi-unsent.jsonl");
  const x = "x".repeat(40);
  expect(messages.slice(1).map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'assistant: {"command":"a"}',
    "user: No result provided",
    ...[`user: ${x}`, `user: ${x}`, `assistant: ${x}`, `user: ${x}`],
  ]);
});

it.each([
  [
    "qwen-code@current",
    { threshold: 0.0001, summaryReserve: 0, autoBuffer: 0, maxFailures: 20, clearIdleMinutes: 0, keepToolResults: 1 },
    "docs/rules/qwen-unanswered.jsonl",
    /^Tool execution result was not recorded — .*retry if needed\.$/,
  ],
  [
    "claude-code",
    { clearIdleMinutes: 15, keepToolResults: 1 },
    "docs/rules/claude-code-unanswered.jsonl",
    /^\[Tool result missing due to internal error\]$/,
  ],
])("the answer shows the stand-in of %s for a call without a result", async (policy, given, file, text) => {
  const { messages } = await answerOf(policy, policy === "claude-code" ? 3 : 1, given, file);
  expect(messages.filter((message) => text.test(message.text))).toHaveLength(1);
});

it("the answer shows OpenClaw's stand-ins, and puts results after their calls or omits them", async () => {
  // From the call on the session holds 80 tokens, including unsent ones; 77 are sent.
  const given = { keepRecentTokens: 75, reserveTokens: 199_930, reserveTokensFloor: 0, memoryFlushTokens: 0 };
  const file = "docs/rules/openclaw-unpaired.jsonl";
  const { messages } = await answerOf("openclaw", 2, given, file);
  const standIn =
    "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.";
  const x = "x".repeat(40);
  expect(messages.slice(1).map(({ role, text }) => [role, text])).toEqual([
    ["assistant", '{"command":"a"}\n\n{"command":"b"}'],
    ["user", standIn],
    ["user", "r".repeat(40)],
    ["user", x],
    ["assistant", x],
    ["user", x],
  ]);
});

describe("texts of a Codex session as they are sent", () => {
  const message = (role: string, text: string) => ({
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  });
  const call = (id: string) => ({ type: "function_call", name: "shell", arguments: "{}", call_id: id });
  const output = (id: string, text: unknown) => ({ type: "function_call_output", call_id: id, output: text });

  let rollouts = 0;

  /** A rollout of items, in which every response of the model is a request. */
  const rollout = (...items: readonly object[]) => rolloutOf("0.92.0", ...items);

  function rolloutOf(version: string, ...items: readonly object[]) {
    const head = { id: "s", timestamp: "2026-01-30T10:00:00.000Z", cwd: "/w", cli_version: version };
    const lines = [
      { type: "session_meta", payload: head },
      ...items.map((payload) => ({ type: "response_item", payload })),
    ];
    const text = lines.map((line) => JSON.stringify({ timestamp: head.timestamp, ...line })).join("\n");
    return put(folder, `rollout-2026-01-30T10-00-00-${rollouts++}.jsonl`, `${text}\n`);
  }
  const turn = (text: string) => [message("user", text), message("assistant", "done")];

  it("keep head and tail of a long user message to the byte", async () => {
    const file = await rollout(...turn("x".repeat(40_000)), ...turn("y".repeat(52_000)), ...turn("more"));
    for (const preset of ["codex", "codex@release-2026-01", "codex@current"]) {
      const { messages, items } = await answerOf(
        preset,
        2,
        { autoCompactLimit: 10, ...(preset === "codex@current" && { remote: false }) },
        file,
      );
      const half = "x".repeat(14_000);
      expect(messages[0]?.text).toBe(`${half}…3000 tokens truncated…${half}`);
      // The size of the text's JSON: 28,000 bytes, the marker's 27, and 77 around it.
      expect(items.find(({ state }) => state === "truncated")?.after).toBe(Math.ceil((28_027 + 77) / 4));
    }
  });

  it("are truncated again by a second compaction", async () => {
    const file = await rollout(...turn("x".repeat(4000)), ...turn("more"), ...turn("and more"));
    const settings = { autoCompactLimit: 10, userMessageTokens: 101 };
    const first = await answerOf("codex", 1, settings, file);
    expect(first.messages[0]?.text).toBe(`${"x".repeat(202)}…899 tokens truncated…${"x".repeat(202)}`);
    const { messages, prompt } = await answerOf("codex", 2, settings, file);
    expect(prompt?.messages[0]?.text).toBe(first.messages[0]?.text);
    expect(messages[0]?.text).toBe(`${"x".repeat(200)}…8 tokens truncated…${"x".repeat(200)}`);
  });

  it("are joined within a message that a local compaction keeps", async () => {
    const content = ["a".repeat(100), "b".repeat(300)].map((text) => ({ type: "input_text", text }));
    const typed = { type: "message", role: "user", content };
    const file = await rollout(typed, message("assistant", "done"), ...turn("more"));
    const of = async (userMessageTokens: number) =>
      (await answerOf("codex", 1, { autoCompactLimit: 10, userMessageTokens }, file)).messages[0]?.text;
    expect(await of(100)).toBe(`${"a".repeat(100)}${"b".repeat(300)}`);
    expect(await of(60)).toBe(`${"a".repeat(100)}${"b".repeat(20)}…40 tokens truncated…${"b".repeat(120)}`);
    const remote = await answerOf("codex@current", 1, { autoCompactLimit: 10, retainedTokens: 60 }, file);
    expect(remote.messages[0]?.text).toBe(
      `${"a".repeat(100)}\n\n${"b".repeat(70)}…40 tokens truncated…${"b".repeat(70)}`,
    );
  });

  it("share one limit within an output of several texts", async () => {
    const texts = ["a".repeat(100), "b".repeat(300), "c".repeat(40), "d".repeat(40)];
    const parts = texts.map((text) => ({ type: "input_text", text }));
    const file = await rollout(
      message("user", "go"),
      call("c1"),
      output("c1", parts),
      message("assistant", "ok"),
      ...turn("more"),
    );
    const { prompt } = await answerOf("codex", 1, { autoCompactLimit: 10, toolOutputTokens: 50 }, file);
    const cut = `${"b".repeat(70)}…40 tokens truncated…${"b".repeat(70)}`;
    expect(prompt?.messages[2]?.text).toBe([texts[0], cut, "[omitted 2 text items ...]"].join("\n\n"));
    const whole = await answerOf(
      "codex",
      1,
      { autoCompactLimit: 10, toolOutputTokens: 50, entryTruncation: false },
      file,
    );
    expect(whole.prompt?.messages[2]?.text).toBe(texts.join("\n\n"));
  });

  it("include an output for every call, and no output without a call", async () => {
    const file = await rollout(
      message("user", "go"),
      call("c1"),
      output("gone", "orphan"),
      message("assistant", "ok"),
      ...turn("more"),
    );
    for (const preset of ["codex", "codex@release-2026-01", "codex@current"]) {
      const { prompt } = await answerOf(preset, 1, { autoCompactLimit: 10 }, file);
      const [, made, ...rest] = prompt?.messages ?? [];
      expect(made?.text).toBe("shell {}");
      expect(rest).toEqual([{ role: "user", text: "aborted", note: null }]);
    }
  });

  /** Sizes of the first request with its history, on every surface that shows one. */
  async function contextsOf(file: string, request: number) {
    const runner = new LocalRunner();
    const session = new OpenedSession(file, await runner.ingest({ path: file }), runner);
    const breakdown = await breakdownOfSession(session, { at: request });
    const contributors = await contributorsOfSession(session, { at: request, by: "tool", policy: "recorded" });
    const replays = [];
    for (const policy of ["recorded", "codex"]) {
      for (const preset of policy === "codex" ? ["as-documented", "release-2026-01", "current"] : [undefined]) {
        const { series } = await replaySession(session, { policy, preset, estimator: "codex" });
        replays.push(series.contextTokens[request]);
      }
    }
    await runner.close();
    return [breakdown.breakdown.total?.tokens, contributors.context, ...replays];
  }

  it("have a tool output truncated to its limit under every counting mode", async () => {
    const items = [message("user", "go"), call("c1"), output("c1", "x".repeat(60_000)), message("assistant", "ok")];
    const limit = 12_000 * 4;
    const cut = Math.ceil((JSON.stringify(output("c1", "")).length + limit + "…3000 tokens truncated…".length + 4) / 4);
    for (const version of ["0.92.0", "0.110.0"]) {
      const sizes = await contextsOf(rolloutOf(version, ...items), 1);
      expect(sizes).toEqual(sizes.map(() => 20 + 18 + cut));
    }
  });

  it("count 17 tokens for an unanswered call, and none for an output without a call", async () => {
    const items = [
      message("user", "x".repeat(1243)),
      call("call1"),
      output("gone", "y".repeat(4006)),
      message("assistant", "ok"),
    ];
    for (const version of ["0.92.0", "0.110.0"]) {
      const sizes = await contextsOf(rolloutOf(version, ...items), 1);
      expect(sizes).toEqual(sizes.map(() => 330 + 19 + 17));
    }
  });

  it("leave out the oldest items, with their outputs, until a local summary call fits the window", async () => {
    const file = rollout(
      message("user", "a".repeat(323)), // 100 tokens
      call("c1"), // 18
      message("assistant", "b".repeat(318)), // 100
      message("user", "d".repeat(323)), // 100
      output("c1", "c".repeat(342)), // 100
      message("assistant", "ok"),
    );
    const of = async (window: number, preset = "codex") => {
      const { prompt, summaryCallTokens } = await answerOf(preset, 1, { autoCompactLimit: 10 }, await file, window);
      return [summaryCallTokens, ...(prompt?.messages ?? []).map(({ text }) => text.at(-1))];
    };
    expect(await of(418)).toEqual([418, "a", "}", "b", "d", "c"]);
    expect(await of(417)).toEqual([318, "}", "b", "d", "c"]);
    for (const preset of ["codex", "codex@release-2026-01"]) expect(await of(317, preset)).toEqual([200, "b", "d"]);
    expect(await of(199)).toEqual([100, "d"]);
  });
});
