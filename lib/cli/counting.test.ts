import { describe, expect, it } from "vitest";
import {
  breakdown,
  compareAnswer,
  contributors,
  replayResult,
  sessionSummary,
  sweepRow,
} from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine, jsonLines } from "./testing/program";

const { run, folder } = commandLine();

/** A session whose every request adds `added` tokens to the recorded usage, but 100 tokens of text to the file. */
function session(name: string, requests: number, added: number): string {
  const lines = Array.from({ length: requests }, (_, at) => {
    const parent = at === 0 ? null : `a${at - 1}`;
    const response = JSON.parse(assistantLine("b".repeat(200), `a${at}`, `u${at}`));
    response.message.usage = { input_tokens: 1000 + at * added, output_tokens: 1 };
    return [userLine("a".repeat(200), `u${at}`, parent), JSON.stringify(response)];
  });
  return put(folder, name, lines.flat().join("\n"));
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}

/** The agent sent six times as much as the file holds, because the file's texts are masked. */
const MASKED = session("masked.jsonl", 20, 600);
const SHORT = session("short.jsonl", 5, 120);
const UNUSED = put(folder, "unused.jsonl", userLine("a".repeat(4000), "u1"));

/** Options under which the replay departs from the recording early. */
const CUSTOM = ["--policy", "custom", "--set", "triggerShare=0.3", "--set", "keepRecentTokens=100"];
const DOUBT = /ow confidence \(factor 6\.00, outside 0\.5 to 2\): estimates may be far off\./;

describe("the warning of a doubtful calibration", () => {
  it("is printed by replay unless all numbers come from recorded usage", async () => {
    const args = ["replay", MASKED, ...CUSTOM, "--window", "20000"];
    const result = replayResult.parse(JSON.parse((await run([...args, "--json"])).out));
    expect(result).toMatchObject({ counting: "anchored", basis: "calibrated", calibration: { doubts: ["factor"] } });
    const { out } = await run(args);
    expect(out).toMatch(DOUBT);
    expect(out).toMatch(/, anchored \(calibrated × 6\.00, error \d+\.\d %\)\n/);
    expect((await run([...args, "--at", String(result.compactions[0]?.request)])).out).toMatch(DOUBT);
    const followed = await run(["replay", MASKED, "--policy", "none"]);
    expect(followed.out).toContain(", anchored (recorded usage)\n");
    expect(followed.out).not.toMatch(DOUBT);
  });

  it("is printed by compare", async () => {
    const args = ["compare", MASKED, "--policy", "recorded", ...CUSTOM, "--window", "20000"];
    const { remarks } = compareAnswer
      .omit({ runs: true })
      .parse(jsonLines((await run([...args, "--json"])).out).at(-1));
    expect(remarks).toMatchObject([{ id: "doubtfulCalibration", runs: [1], text: expect.stringMatching(DOUBT) }]);
    expect((await run(args)).out).toMatch(DOUBT);
  });

  it("is printed by sweep, contributors, breakdown and inspect", async () => {
    const vary = ["sweep", MASKED, "--policy", "custom", "--vary", "triggerShare=0.3:0.9:0.6", "--window", "20000"];
    const rows = jsonLines((await run([...vary, "--json"])).out).map((row) => sweepRow.parse(row));
    expect(rows.map(({ basis, calibration }) => [basis, calibration?.doubts])).toEqual([
      ["calibrated", ["factor"]],
      ["recorded", ["factor"]],
    ]);
    const swept = await run(vary);
    expect(swept.out).toMatch(/; counted by: calibrated, recorded usage\n/);
    expect(swept.out).toMatch(DOUBT);
    const parted = await run(["contributors", MASKED, "--json"]);
    expect(contributors.parse(JSON.parse(parted.out))).toMatchObject({
      counting: "anchored",
      basis: "recorded",
      calibration: { doubts: ["factor"] },
    });
    expect((await run(["contributors", MASKED])).out).toMatch(DOUBT);
    const broken = await run(["breakdown", MASKED, "--json"]);
    expect(breakdown.parse(JSON.parse(broken.out)).calibration?.doubts).toEqual(["factor"]);
    expect((await run(["breakdown", MASKED])).err).toMatch(DOUBT);
    const inspected = await run(["inspect", MASKED, "--json"]);
    const { accuracy } = sessionSummary.parse(JSON.parse(inspected.out));
    expect(accuracy?.map(({ calibration }) => calibration?.doubts)).toEqual([["factor"], ["factor"], ["factor"]]);
    expect((await run(["inspect", MASKED])).out).toMatch(/, calibrated × 6\.00, error \d+\.\d % \(doubtful\)\n/);
  });
});

describe("the scale factor of the parts of a recorded context", () => {
  const FITTED = /Parts of the messages are estimates × 1\.2\d, fitted to the recorded usage\./;
  const fitted = session("fitted.jsonl", 20, 128);

  it("is printed by breakdown and contributors", async () => {
    expect((await run(["breakdown", fitted])).err).toMatch(FITTED);
    expect((await run(["contributors", fitted])).out).toMatch(FITTED);
  });

  it("is not printed if the parts are not scaled", async () => {
    for (const file of [MASKED, SHORT]) {
      const { out, err } = await run(["breakdown", file]);
      expect(out + err).not.toMatch(/fitted/);
    }
  });
});

describe("a policy that belongs to no agent", () => {
  const message = (role: string, text: string) => ({ type: "message", role, content: [{ type: "text", text }] });
  const codex = [
    { type: "session_meta", payload: { id: "s", cwd: "/home/mia", cli_version: "0.80.0" } },
    ...[
      message("user", "u".repeat(1000)),
      { type: "function_call", name: "shell", arguments: "{}", call_id: "c1" },
      { type: "function_call_output", call_id: "none", output: "o".repeat(4000) },
      message("user", "go on"),
      { type: "function_call", name: "shell", arguments: "{}", call_id: "c2" },
      { type: "function_call_output", call_id: "c2", output: "o".repeat(60_000) },
      message("assistant", "yes"),
    ].map((payload) => ({ type: "response_item", payload })),
  ].map((record) => ({ timestamp: "2026-01-05T10:00:00Z", ...record }));
  const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } };
  const openClaw = [
    { type: "session", version: 3, id: "s", cwd: "/home/mia" },
    { type: "custom", customType: "model-snapshot", data: {} },
    ...[
      { role: "user", content: "u".repeat(1000) },
      { role: "assistant", api: "anthropic-messages", provider: "anthropic", content: [call] },
      { role: "toolResult", toolCallId: "none", toolName: "bash", content: [{ type: "text", text: "o".repeat(4000) }] },
      { role: "user", content: "go on" },
      { role: "assistant", api: "anthropic-messages", provider: "anthropic", content: [{ type: "text", text: "yes" }] },
    ].map((one, at) => ({ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, message: one })),
  ].map((record) => ({ timestamp: "2026-02-05T10:00:00Z", ...record }));
  const use = { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } };
  const response = JSON.parse(assistantLine("b", "a0", "u0"));
  const { usage: _unused, ...unusedMessage } = response.message;
  const claudeCode = [
    JSON.parse(userLine("a".repeat(200), "u0")),
    { ...response, message: { ...unusedMessage, content: [use] } },
    JSON.parse(userLine("go on", "u1", "a0")),
    { ...JSON.parse(assistantLine("b", "a1", "u1")), message: { ...unusedMessage, id: "m1" } },
  ];

  const said = `hello${" hello".repeat(9)}`;
  const orphan = "o".repeat(4000);
  const args = JSON.stringify({ path: "config.env" });
  const cline = [
    ["user", { type: "text", text: "u".repeat(200) }, { type: "text", text: "<environment_details>" }],
    ["assistant", { type: "tool_use", id: "c1", name: "read_file", input: { path: "config.env" } }],
    ["user", { type: "text", text: "go on" }],
    // A call in a text is not the API's, so it needs no result.
    ["assistant", { type: "text", text: "<execute_command>ls</execute_command>" }],
    ["user", { type: "text", text: "go on" }],
    ["assistant", { type: "text", text: "yes" }],
  ].map(([role, ...content]) => ({ role, content }));
  const openHandsCall = (id: number, call: string, thought: readonly object[]) => ({
    ...{ kind: "ActionEvent", id: `e-${id}`, source: "agent", thought, tool_name: "terminal", tool_call_id: call },
    ...{ tool_call: { id: call, name: "terminal", arguments: args }, llm_response_id: "r-1" },
  });
  const openHandsResult = (id: number, call: string) => ({
    ...{ kind: "ObservationEvent", id: `e-${id}`, source: "environment", tool_name: "terminal", tool_call_id: call },
    observation: { content: [{ type: "text", text: orphan }] },
  });
  const openHandsSaid = (id: number, role: string, text: string) => ({
    ...{ kind: "MessageEvent", id: `e-${id}`, source: role === "user" ? "user" : "agent" },
    llm_message: { role, content: [{ type: "text", text }] },
  });
  // A response with an open call is not sent, nor is the result of its other call.
  const openHands = [
    openHandsSaid(1, "user", said),
    openHandsCall(2, "c1", [{ type: "text", text: "Both at once." }]),
    openHandsCall(3, "c2", []),
    openHandsResult(4, "c1"),
    openHandsResult(5, "none"),
    openHandsSaid(6, "user", "go on"),
    { ...openHandsSaid(7, "assistant", "yes"), llm_response_id: "r-2" },
  ].map((event) => ({ timestamp: "2026-03-01T08:00:00.000000", ...event }));
  const openHandsBeforeSdk = (id: number, call: string, event: object) => ({
    ...{ id, timestamp: "2025-11-01T08:00:00.000000", source: "agent", message: "" },
    ...{ tool_call_metadata: { tool_call_id: call, function_name: call === "f" ? "finish" : "run" } },
    ...event,
  });
  // The call that ends a run has no result, and its response is sent as text.
  const openHandsOld = [
    { id: 0, timestamp: "2025-11-01T08:00:00.000000", source: "user", action: "message", args: { content: said } },
    openHandsBeforeSdk(1, "c1", { action: "run", args: { command: "ls", thought: "Look." } }),
    openHandsBeforeSdk(2, "none", { observation: "run", cause: 9, content: orphan }),
    { id: 3, timestamp: "2025-11-01T08:00:00.000000", source: "user", action: "run", args: { command: "ls" } },
    {
      id: 4,
      timestamp: "2025-11-01T08:00:00.000000",
      source: "environment",
      observation: "run",
      cause: 3,
      content: said,
    },
    { id: 5, timestamp: "2025-11-01T08:00:00.000000", source: "user", action: "message", args: { content: "go on" } },
    openHandsBeforeSdk(6, "f", { action: "finish", args: { thought: "yes" } }),
    { id: 7, timestamp: "2025-11-01T08:00:00.000000", source: "user", action: "message", args: { content: "go on" } },
    { id: 8, timestamp: "2025-11-01T08:00:00.000000", source: "agent", action: "message", args: { content: "yes" } },
  ];
  const hermes = [
    { role: "session_meta", id: "s", source: "cli" },
    { role: "user", content: "u".repeat(200) },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "c1", type: "function", function: { name: "r", arguments: args } }],
    },
    { role: "tool", content: orphan, tool_call_id: "none" },
    { role: "user", content: "go on" },
    { role: "assistant", content: "yes" },
  ];
  const gooseSaid = (id: number, role: string, ...content: readonly object[]) => ({
    ...{ goose: "message", id: `m-${id}`, role, created: 1772352000, content },
    metadata: { userVisible: true, agentVisible: true },
  });
  const gooseResult = { status: "success", value: { content: [{ type: "text", text: orphan }], isError: false } };
  const goose = [
    { goose: "session", id: "s", working_dir: "/home/mia", created: 1772352000 },
    gooseSaid(1, "user", { type: "text", text: said }),
    gooseSaid(2, "assistant", {
      ...{ type: "toolRequest", id: "c1" },
      toolCall: { status: "success", value: { name: "developer__shell", arguments: { command: "ls" } } },
    }),
    gooseSaid(3, "user", { type: "toolResponse", id: "none", toolResult: gooseResult }),
    gooseSaid(4, "user", { type: "text", text: "go on" }),
    gooseSaid(5, "assistant", { type: "text", text: "yes" }),
  ];
  const crushSaid = (id: number, role: string, type: string, data: object) => ({
    ...{ crush: "message", id: `m-${id}`, session_id: "s", role, parts: [{ type, data }] },
    ...{ created_at: 1772352000, is_summary_message: false },
  });
  const crush = [
    { crush: "session", id: "s", title: "", created_at: 1772352000 },
    crushSaid(1, "user", "text", { text: "u".repeat(200) }),
    crushSaid(2, "assistant", "tool_call", { id: "c1", name: "view", input: args, finished: true }),
    crushSaid(3, "tool", "tool_result", { tool_call_id: "none", name: "view", content: orphan }),
    crushSaid(4, "user", "text", { text: "go on" }),
    crushSaid(5, "assistant", "text", { text: "yes" }),
  ];

  it.each([
    // The output of 15,015 tokens is cut to 12,022, a call without an output gets one of 17, and the output without a call has no size.
    ["rollout-unpaired.jsonl", codex, [268, 322, 12_362]],
    ["claw-unpaired.jsonl", openClaw, [250, 284]],
    ["claude-unpaired.jsonl", claudeCode, [50, 67]],
    // Texts of 200, 21 and 5 characters, a call of 21 with a result of 14; and a call of 37 without one.
    ["cline-unpaired.json", cline, [50 + 6, 56 + 6 + 4 + 2, 68 + 10 + 2], "cline"],
    // 10 words, and 2.
    ["openhands-unpaired.jsonl", openHands, [10, 10 + 2], "openhands"],
    // The user's own command has 6 tokens, its output 10. The text `yes` is sent, its call is not.
    ["openhands-old-unpaired.jsonl", openHandsOld, [10, 10 + 6 + 10 + 2, 28 + 1 + 2], "openhands@v0.62.0"],
    // A call of 21 characters with a result of 48.
    ["hermes-unpaired.jsonl", hermes, [50, 50 + 6 + 12 + 2], "hermes"],
    ["goose-unpaired.jsonl", goose, [10, 10 + 2], "goose"],
    // A call of 21 characters with a result of 109.
    ["crush-unpaired.jsonl", crush, [50, 50 + 6 + 28 + 2], "crush"],
  ])(
    "counts calls and results as the recording's agent sends them: %s",
    async (name, records, contexts, own = "recorded") => {
      const file = put(folder, name, name.endsWith(".json") ? JSON.stringify(records) : linesOf(records));
      const runs = [own, "recorded", "none", "custom", "rent-to-buy"].map(async (policy) => {
        const { out } = await run(["replay", file, "--policy", policy, "--counting", "estimate", "--json"]);
        return [policy, replayResult.parse(JSON.parse(out)).series.contextTokens];
      });
      expect(Object.fromEntries(await Promise.all(runs))).toEqual({
        [own]: contexts,
        recorded: contexts,
        none: contexts,
        custom: contexts,
        "rent-to-buy": contexts,
      });
      const at = contexts.length - 1;
      const choice = [file, "--at", String(at), "--json"];
      const [held, broken] = await Promise.all([run(["contributors", ...choice]), run(["breakdown", ...choice])]);
      expect(contributors.parse(JSON.parse(held.out)).context).toBe(contexts[at]);
      expect(breakdown.parse(JSON.parse(broken.out)).total?.tokens).toBe(contexts[at]);
    },
  );
});

describe("the counting basis of metrics", () => {
  it("is an uncalibrated estimate if calibration fails, whatever counting was requested", async () => {
    const { out, err } = await run(["replay", SHORT, ...CUSTOM, "--window", "4000"]);
    expect(out).toContain(", anchored (not calibrated)\n");
    expect(err).toMatch(/^context-replay: not calibrated: fewer than 8 pairs/);
    const unused = await run(["replay", UNUSED, ...CUSTOM, "--window", "4000"]);
    expect([unused.out.includes(", estimate\n"), unused.err]).toEqual([true, ""]);
  });

  it("is named per file if a sweep's recordings differ in it", async () => {
    const sweep = (...files: readonly string[]) =>
      run(["sweep", ...files, "--policy", "custom", "--vary", "triggerShare=0.9:0.9:1", "--json"]);
    const mixed = await sweep(MASKED, UNUSED);
    const rows = jsonLines(mixed.out).map((row) => sweepRow.parse(row));
    expect(rows.map(({ file, counting, basis }) => [file, counting, basis])).toEqual([
      ["masked.jsonl", "anchored", "recorded"],
      ["unused.jsonl", "estimate", "estimate"],
    ]);
    expect(mixed.err).toMatch(/^context-replay: rows of unused\.jsonl rest on an estimate.*Do not compare/);
    expect((await sweep(MASKED, SHORT)).err).toBe("");
  });

  it("is that of the counting mode given to contributors", async () => {
    const args = ["contributors", SHORT, "--policy", "none", "--counting", "estimate", "--json"];
    const answer = contributors.parse(JSON.parse((await run(args)).out));
    expect([answer.counting, answer.basis]).toEqual(["estimate", "estimate"]);
  });
});
