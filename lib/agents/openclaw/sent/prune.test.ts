import { describe, expect, it } from "vitest";
import { pruneResults, pruningChars } from "@/verify/agents/openclaw/prune";
import type { AgentMessage } from "../messages/message";
import { currentTrim, trimmedText } from "./prune";
import { DEFAULT_PRUNING, type PruningSettings } from "./pruning-settings";

const text = (value: unknown) => ({ type: "text", text: value });
const IMAGE = { type: "image", data: "AAAA", mimeType: "image/png" };
const user = (content: unknown): AgentMessage => ({ role: "user", content });
const assistant = (...content: unknown[]): AgentMessage => ({ role: "assistant", content });
const result = (content: readonly unknown[], toolName = "read"): AgentMessage => ({
  role: "toolResult",
  toolCallId: "c",
  toolName,
  content,
});

describe("chars counted by pruning", () => {
  it.each([
    ["a content that is a string", user("abcd"), 4, 4],
    ["Chinese weighs four in 2026.9.6", user("中文"), 2, 8],
    ["a text block", user([text("abc")]), 3, 3],
    ["an image of the user", user([text("abc"), IMAGE]), 8003, 8003],
    ["an image of a result", result([IMAGE]), 8000, 8000],
    ["an image of a response", assistant(IMAGE, text("ab")), 2, 8002],
    ["a text block without a string", user([text(7)]), 0, 0],
    ["a response whose content is a string", { role: "assistant", content: "abc" }, 0, 0],
    ["reasoning", assistant({ type: "thinking", thinking: "abc", thinkingSignature: "sign" }), 3, 7],
    ["reasoning without text", assistant({ type: "thinking" }), 0, 0],
    [
      "redacted reasoning",
      assistant({ type: "redacted_thinking", thinking: "a", thinkingSignature: "bc", data: "def" }),
      ...[0, 6],
    ],
    ["a call's arguments, not its name", assistant({ type: "toolCall", name: "read", arguments: { a: 1 } }), 7, 7],
    ["a call without arguments", assistant({ type: "toolCall", name: "read" }), 2, 2],
    ["other blocks of a response", assistant({ type: "other", text: "abc", thinking: "abc" }), 0, 0],
    ["reasoning within a user message", user([{ type: "thinking", thinking: "abc" }]), 0, 0],
    ["a call within a result", result([{ type: "toolCall", arguments: { a: 1 } }]), 0, 0],
    ["a message of another role", { role: "custom", content: "a" }, 256, 256],
    ["a shell run", { role: "bashExecution", command: "ls", output: "x".repeat(900) }, 256, 256],
  ] as const)("%s", (_name, message, documented, current) => {
    expect([pruningChars(message, "as-documented"), pruningChars(message, "current")]).toEqual([documented, current]);
  });

  it("counts 128 for arguments without JSON", () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    expect(pruningChars(assistant({ type: "toolCall", arguments: round }), "current")).toBe(128);
  });
});

const NOTE = (length: number) =>
  `\n\n[Tool result trimmed: kept first 1500 chars and last 1500 chars of ${length} chars.]`;

describe("a long result", () => {
  it.each(["as-documented", "current"] as const)("keeps its head and its tail, %s", (preset) => {
    expect(trimmedText("x".repeat(4000), preset)).toBe("x".repeat(4000));
    const long = `${"a".repeat(1500)}${"m".repeat(1001)}${"z".repeat(1500)}`;
    // In 2026.9.6 a surrogate pair stays whole.
    const pair = `${"a".repeat(1499)}😀${"m".repeat(3000)}`;
    const head = preset === "current" ? "a".repeat(1499) : `${"a".repeat(1499)}\ud83d`;
    expect(trimmedText(pair, preset).startsWith(`${head}\n...\n`)).toBe(true);
    expect(trimmedText(long, preset)).toBe(`${"a".repeat(1500)}\n...\n${"z".repeat(1500)}${NOTE(4001)}`);
  });

  it("becomes one text of joined blocks, with markers for images in 2026.9.6", () => {
    const blocks = [text("a"), IMAGE, text("b"), { type: "other", text: "no" }, text(5)];
    const trim = { ...DEFAULT_PRUNING, softTrim: { maxChars: 1000, headChars: 1, tailChars: 1 } };
    expect(currentTrim(result(blocks), trim)).toBe(
      'a\n[image removed during context pruning]\nb\n{"type":"text","text":5}',
    );
    expect(currentTrim(result([text("a")]), trim)).toBeUndefined();
    const round: Record<string, unknown> = { type: "text" };
    round.self = round;
    expect(currentTrim(result([IMAGE, round]), trim)).toContain("\n[malformed text block]");
    expect(currentTrim(result([text("x".repeat(1000))]), trim)).toBeUndefined();
    expect(currentTrim(result([text("x".repeat(1001))]), trim)).toContain("of 1001 chars.]");
  });

  it("stays unchanged if head and tail cover all of it, even without a tail", () => {
    const pruned = (softTrim: PruningSettings["softTrim"], ...blocks: unknown[]) => {
      const settings = { ...DEFAULT_PRUNING, softTrim, softTrimRatio: 0, keepLastAssistants: 0 };
      const messages = [user("go"), result(blocks)];
      const after = pruneResults(messages, { settings, window: 1_000_000, preset: "as-documented" });
      return after === messages ? undefined : (after[1]?.content as { text: string }[] | undefined)?.[0]?.text;
    };
    expect(pruned({ maxChars: 10, headChars: 6, tailChars: 5 }, text("x".repeat(11)))).toBeUndefined();
    expect(pruned({ maxChars: 10, headChars: 5, tailChars: 5 }, text("x".repeat(11)))).toContain("xxxxx\n...\nxxxxx\n");
    expect(pruned({ maxChars: 4, headChars: 2, tailChars: 0 }, text("abcdef"))).toMatch(/^ab\n\.\.\.\n\n\n\[Tool/);
    expect(pruned({ maxChars: 4, headChars: 2, tailChars: 2 }, text("ab"), { type: "x", text: "no" }, text("cd"))).toBe(
      "ab\n...\ncd\n\n[Tool result trimmed: kept first 2 chars and last 2 chars of 5 chars.]",
    );
    expect(pruned({ maxChars: 5, headChars: 2, tailChars: 2 }, text("ab"), text("cd"))).toBeUndefined();
  });
});

describe("pruning", () => {
  const settings: PruningSettings = { ...DEFAULT_PRUNING, keepLastAssistants: 1, minPrunableToolChars: 0 };
  /** A prompt, and results of so many chars, each followed by a response. */
  const session = (...sizes: readonly number[]) => [
    user("go"),
    ...sizes.flatMap((size) => [result([text("x".repeat(size))]), assistant(text(""))]),
  ];
  const prune = (messages: readonly AgentMessage[], window: number | undefined, given: Partial<PruningSettings> = {}) =>
    pruneResults(messages, { settings: { ...settings, ...given }, window, preset: "as-documented" });
  /** The chars that each result has now. */
  const left = (messages: readonly AgentMessage[]) =>
    messages.flatMap((message) =>
      message.role === "toolResult" ? [(message.content as { text?: string }[])[0]?.text?.length ?? 0] : [],
    );
  const CLEARED = "[Old tool result content cleared]".length;
  const TRIMMED = 1500 + 5 + 1500 + NOTE(5000).length;

  it("returns the list itself if there is nothing to do", () => {
    const messages = session(5000, 5000);
    for (const window of [undefined, 0, -1, Number.NaN]) expect(prune(messages, window)).toBe(messages);
    expect(prune(messages, 1_000_000)).toBe(messages);
    expect(prune(messages, 100, { keepLastAssistants: 3 })).toBe(messages);
    expect(prune(messages.slice(1), 100)).toEqual(messages.slice(1));
  });

  it("trims if the results reach a share of the window", () => {
    // 10,002 chars are 0.3 of 33,340, which are 8,335 tokens.
    const messages = session(5000, 5000);
    expect(left(prune(messages, 8335))).toEqual([TRIMMED, TRIMMED]);
    expect(left(prune(messages, 8336))).toEqual([5000, 5000]);
  });

  it("does not change results after the newest responses or before the first prompt", () => {
    const before = [result([text("x".repeat(5000))]), ...session(5000, 5000)];
    expect(left(prune(before, 100, { hardClear: { ...settings.hardClear, enabled: false } }))).toEqual([
      5000,
      TRIMMED,
      TRIMMED,
    ]);
    expect(left(prune(session(5000, 5000), 5000, { keepLastAssistants: 2, hardClearRatio: 1 }))).toEqual([
      TRIMMED,
      5000,
    ]);
    const open = [...session(5000), result([text("x".repeat(5000))])];
    expect(left(prune(open, 4000, { keepLastAssistants: 0, hardClearRatio: 1 }))).toEqual([TRIMMED, TRIMMED]);
    expect(left(prune(open, 4000, { hardClearRatio: 1 }))).toEqual([TRIMMED, 5000]);
  });

  it("does not change the message at which the protected end begins", () => {
    const messages = [user("go"), assistant(text("")), result([text("x".repeat(5000))])];
    expect(prune(messages, 100, { hardClearRatio: 0 })).toEqual(messages);
  });

  it("clears the oldest results first, until the share is below the limit", () => {
    // Trimmed they have 2 + 3 × 3,096 chars; each result that is cleared frees 3,063.
    const messages = session(5000, 5000, 5000);
    const whole = 2 + 3 * TRIMMED;
    const after = whole - (TRIMMED - CLEARED);
    expect(left(prune(messages, whole / 4 / 0.5))).toEqual([CLEARED, TRIMMED, TRIMMED]);
    expect(left(prune(messages, (whole + 1) / 4 / 0.5))).toEqual([TRIMMED, TRIMMED, TRIMMED]);
    expect(left(prune(messages, after / 4 / 0.5))).toEqual([CLEARED, CLEARED, TRIMMED]);
    expect(left(prune(messages, 100))).toEqual([CLEARED, CLEARED, CLEARED]);
  });

  it("clears only if the results are large enough and clearing is on", () => {
    const messages = session(5000, 5000);
    expect(left(prune(messages, 100, { minPrunableToolChars: 2 * TRIMMED }))).toEqual([CLEARED, CLEARED]);
    expect(left(prune(messages, 100, { minPrunableToolChars: 2 * TRIMMED + 1 }))).toEqual([TRIMMED, TRIMMED]);
    const off = { hardClear: { enabled: false, placeholder: "gone" } };
    expect(left(prune(messages, 100, off))).toEqual([TRIMMED, TRIMMED]);
    expect(left(prune(messages, 100, { hardClear: { enabled: true, placeholder: "gone" } }))).toEqual([4, 4]);
  });

  it("keeps results with images or of denied tools in 2026.2.1, and removes images in 2026.9.6", () => {
    const messages = [user("go"), result([text("a"), IMAGE]), result([text("x".repeat(5000))], "exec"), assistant()];
    const given = { ...settings, tools: { deny: ["exec"] }, hardClearRatio: 1 };
    const options = { settings: given, window: 4000 };
    expect(pruneResults(messages, { ...options, preset: "as-documented" })).toEqual(messages);
    const current = pruneResults(messages, { ...options, preset: "current" });
    expect(current[1]?.content).toEqual([text("a\n[image removed during context pruning]")]);
    expect(current[2]).toBe(messages[2]);
    const unnamed = [user("go"), { role: "toolResult", content: [text("x".repeat(5000))] }, assistant()];
    const only = { settings: { ...settings, hardClearRatio: 1, tools: { allow: ["read"] } }, window: 100 };
    expect(pruneResults(unnamed, { ...only, preset: "current" })).toEqual(unnamed);
  });
});
