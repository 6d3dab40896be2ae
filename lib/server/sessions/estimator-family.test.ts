import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReadAgentId } from "@/lib/agents/agents";
import { apiMessageTokens, claudeCodeEstimator } from "@/lib/agents/claude-code/estimator";
import { clawdcodeFastEstimator } from "@/lib/agents/clawdcode/estimator";
import { toNative as clawdcodeMessages } from "@/lib/agents/clawdcode/messages/native";
import { codexEstimator, nativeItems as codexItems } from "@/lib/agents/codex/estimator";
import { geminiEstimator } from "@/lib/agents/gemini-cli/estimator";
import { nativeContent as geminiContent } from "@/lib/agents/gemini-cli/read/native";
import { miniClaudeCodeEstimator } from "@/lib/agents/mini-claude-code/estimator";
import { nativeMessages as miniClaudeCodeMessages } from "@/lib/agents/mini-claude-code/messages/native";
import { openClawPreset } from "@/lib/agents/openclaw/base/presets";
import { openClawEstimator } from "@/lib/agents/openclaw/estimator";
import { messageOfEntry } from "@/lib/agents/openclaw/messages/entry";
import { nativeEntries as openClawEntries } from "@/lib/agents/openclaw/messages/native";
import { opencodeEstimator } from "@/lib/agents/opencode/estimator";
import { nativeMessage as opencodeMessage } from "@/lib/agents/opencode/messages/native";
import { piEstimator } from "@/lib/agents/pi/estimator";
import { contextMessages } from "@/lib/agents/pi/messages/entry";
import { nativeEntries as piEntries } from "@/lib/agents/pi/messages/native";
import { qwenCodeContentEstimator, qwenCodeEstimator } from "@/lib/agents/qwen-code/estimator";
import { nativeMessage as qwenCodeMessage } from "@/lib/agents/qwen-code/read/native";
import { PROFILES, SERVER_PROFILES } from "@/lib/agents/registry";
import { assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import { runs } from "@/lib/core/testing/runs";
import { arbitraryMessage, type LoadedMessage } from "@/verify/support/messages";
import { readRecords, readTranscript } from "@/verify/support/read";
import { ESTIMATOR_IDS, estimatorOf, requireEstimator } from "../read/numbers/estimators";
import { fixtureFiles } from "../testing/files";

/** By estimator, one of our messages as the messages to which the agent itself applies the rule. */
const NATIVE: Readonly<Record<string, (loaded: LoadedMessage, preset: string) => readonly unknown[]>> = {
  clawdcode: ({ message, contents }) => clawdcodeMessages(message, contents).map((one) => one.message),
  "clawdcode-fast": ({ message, contents }) => clawdcodeMessages(message, contents).map((one) => one.message),
  codex: ({ message, contents, format }) => codexItems(message, contents, format).map(({ item }) => item),
  "gemini-cli": ({ message, contents, format }) => [geminiContent(message, contents, format).content],
  "mini-claude-code": ({ message, contents, format }) =>
    miniClaudeCodeMessages(message, contents, format).map((one) => one.message),
  openclaw: ({ message, contents, format }, preset) =>
    openClawEntries(message, contents, format)
      .map(({ entry }) => messageOfEntry(entry, openClawPreset(preset)))
      .filter((one) => one !== undefined),
  opencode: ({ message, contents, format }) => [opencodeMessage(message, contents, format)],
  pi: ({ message, contents, format }) =>
    piEntries(message, contents, format)
      .flatMap(({ entry }) => contextMessages(entry))
      .filter(({ role }) => role !== "system"),
  "qwen-code": ({ message, contents, format }) => [qwenCodeMessage(message, contents, format).content],
  "qwen-code-content": ({ message, contents, format }) => [qwenCodeMessage(message, contents, format).content],
};

function loaded(path: string): LoadedMessage[] {
  const format = basename(dirname(dirname(path))) as ReadAgentId; // a folder of the registry
  const bytes = readFileSync(path);
  const { reader } = SERVER_PROFILES[format];
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  return readTranscript(bytes, reader).messages.map((message) => ({
    message,
    format,
    contents: message.blocks.map((block) => {
      const record = assertDefined(records.get(block.source.offset), "the block's record");
      return { record, text: reader.texts(record)[block.source.part] ?? "" };
    }),
  }));
}

const RECORDED = fixtureFiles().flatMap(loaded);

const NAMES = ESTIMATOR_IDS.flatMap((id) => [id, ...requireEstimator(id).presets.map((preset) => `${id}@${preset}`)]);

describe("the family of estimators", () => {
  it("has the estimators of docs/interfaces.md, with their presets", () => {
    expect(NAMES).toEqual([
      ...["bytes-4", "chars-4", "o200k", "cl100k", "claude-code", "clawdcode", "clawdcode-fast"],
      ...["codex", "codex@as-documented", "codex@release-2026-01", "codex@current", "gemini-cli", "mini-claude-code"],
      ...["openclaw", "openclaw@as-documented", "openclaw@current", "opencode", "pi", "pi@current", "pi@v0.51.0"],
      ...["qwen-code", "qwen-code-content"],
    ]);
    for (const { estimator } of Object.values(PROFILES)) expect(ESTIMATOR_IDS).toContain(estimator);
  });

  it.each(NAMES)("%s counts texts and messages, including empty ones", async (name) => {
    const rule = await estimatorOf(name);
    expect(rule.text("")).toBe(0);
    expect(rule.text("word ".repeat(100))).toBeGreaterThan(99);
    expect(rule.message?.("no message")).toBeUndefined();
    expect(rule.message?.({})).toBeUndefined();
    expect(rule.message?.(null)).toBeUndefined();
  });

  // Computed by hand: a text of 8 units, in each rule's own message shape.
  const chat = { role: "user", content: "12345678" };
  const parts = { role: "user", parts: [{ text: "12345678" }] };
  it.each([
    ["bytes-4", chat, 2],
    ["chars-4", chat, 2],
    ["o200k", chat, 3],
    ["cl100k", chat, 3],
    ["claude-code", chat, 2],
    ["clawdcode", chat, 3 + 1 + 4],
    ["clawdcode-fast", chat, 4 + 2],
    ["codex", { type: "message", role: "user", content: [{ type: "input_text", text: "12345678" }] }, 84 / 4],
    ["gemini-cli", parts, 2],
    ["mini-claude-code", chat, 4],
    ["openclaw", chat, 2],
    ["opencode", { role: "user", content: [{ type: "text", text: "12345678" }] }, 15],
    ["pi", chat, 2],
    ["qwen-code", parts, 2],
    ["qwen-code-content", parts, 2],
  ])("%s counts a message in its own format", async (name, message, tokens) => {
    expect((await estimatorOf(name)).message?.(message)).toBe(tokens);
  });

  it.each([
    claudeCodeEstimator,
    clawdcodeFastEstimator,
    codexEstimator,
    geminiEstimator,
    miniClaudeCodeEstimator,
    openClawEstimator,
    opencodeEstimator,
    piEstimator,
    qwenCodeEstimator,
    qwenCodeContentEstimator,
  ])("$id is listed under its id, in its default preset", async (rule) => {
    const listed = await estimatorOf(rule.id);
    expect(listed.id).toBe(rule.id);
    for (const one of RECORDED.slice(0, 40)) {
      expect(listed.blocks(one.message, one.contents, one.format)).toEqual(
        rule.blocks(one.message, one.contents, one.format),
      );
    }
  });

  it("counts API messages block by block if a rule takes only texts", () => {
    const count = (text: string) => text.length;
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const message = {
      role: "user",
      content: [{ type: "text", text: "1234" }, image, { type: "tool_result", tool_use_id: "a", content: "56" }],
    };
    expect(apiMessageTokens(message, count)).toBe(4 + 1600 + 2);
    expect(apiMessageTokens({ role: "user", content: "123" }, count)).toBe(3);
    for (const none of [undefined, null, "text", 1, {}, { role: "user" }])
      expect(apiMessageTokens(none, count)).toBeUndefined();
  });

  it("counts a text with the model's encoding if the rule depends on the model", async () => {
    const text = "你好，世界".repeat(20);
    const [byDefault, gpt4, o1] = await Promise.all([
      estimatorOf("clawdcode"),
      estimatorOf("clawdcode", "gpt-4"),
      estimatorOf("clawdcode", "o1"),
    ]);
    expect(byDefault.text(text)).toBe(gpt4.text(text));
    expect(o1.text(text)).toBe((await estimatorOf("o200k")).text(text));
    expect(o1.text(text)).toBeLessThan(gpt4.text(text));
  });
});

describe.each(NAMES)("counts of %s", (name) => {
  const [id = "", preset] = name.split("@", 2);
  const native = NATIVE[id];

  /** Expects every item to have a share, and the shares to sum to the agent's own count. */
  async function expectShared(one: LoadedMessage): Promise<void> {
    const rule = await estimatorOf(name);
    const shares = rule.blocks(one.message, one.contents, one.format);
    expect(shares).toHaveLength(one.message.blocks.length);
    expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
    // A message without a block has no item that could carry it.
    if (native === undefined || shares.length === 0) return;
    const messages = native(one, preset ?? requireEstimator(id).presets[0] ?? "");
    const total = messages.reduce<number>((sum, message) => sum + (rule.message?.(message) ?? Number.NaN), 0);
    expect(sumOf(shares)).toBe(total);
  }

  it("are divided among the items of every fixture", async () => {
    for (const one of RECORDED) await expectShared(one);
  });

  it("are divided among the items of any message", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMessage, (one) => expectShared(one)),
      { numRuns: runs(25) },
    );
  });
});
