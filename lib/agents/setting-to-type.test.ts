import { describe, expect, it } from "vitest";
import { settingToType } from "@/lib/core/compaction/policy/setting-to-type";
import { resolveSettings, type SettingValue } from "@/lib/core/compaction/policy/settings";
import { requirePolicy, sessionlessSettings } from "@/lib/queries/session/session-context";
import { POLICIES } from "./registry";

/** The lines for a policy's settings, as `file: text`. */
function lines(id: string, preset: string, given: Readonly<Record<string, SettingValue>>, window = 200_000) {
  const policy = requirePolicy(id);
  const specs = sessionlessSettings(policy, preset, window);
  return settingToType({ policy, preset, specs }, resolveSettings(specs, given), window)?.map(
    ({ text, file }) => `${file === undefined ? "" : `${file}: `}${text ?? "none"}`,
  );
}

describe("the setting to type into the real agent", () => {
  it("is absent while every setting has its default", () => {
    for (const { id, presets } of POLICIES) expect([id, lines(id, presets[0] ?? "", {})]).toEqual([id, undefined]);
  });

  it("gives Claude Code the percentage that reaches the trigger", () => {
    // 180,000 of 200,000 tokens are usable; 45 % of them are 81,000, half of them 90,000.
    expect(lines("claude-code", "reported", { autoBuffer: 90_000 })).toEqual(["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50"]);
    expect(lines("claude-code", "reported", { autoBuffer: 99_000 })).toEqual(["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=45"]);
    expect(lines("claude-code", "reported", { pctOverride: 45 })).toEqual(["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=45"]);
    expect(lines("claude-code", "reported", { autoBuffer: 90_000 }, 1_000_000)).toEqual([
      "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=91",
    ]);
  });

  it("names the base of Claude Code's percentage, which differs from the window", () => {
    const policy = requirePolicy("claude-code");
    const specs = policy.settings("reported", { window: 200_000, agent: null });
    const percentOf = (given: Readonly<Record<string, SettingValue>>) =>
      settingToType({ policy, preset: "reported", specs }, resolveSettings(specs, given), 200_000)?.[0]?.percentOf;
    expect(percentOf({ autoBuffer: 90_000 })).toEqual({ percent: 50, base: 180_000, threshold: 90_000 });
    expect(percentOf({ pctOverride: 45, autoCompactWindow: 120_000 })).toEqual({
      percent: 45,
      base: 100_000,
      threshold: 45_000,
    });
    // 99 % of 180,000 is above the default trigger of 167,000.
    expect(percentOf({ pctOverride: 99 })).toBeUndefined();
  });

  it("is one percentage if buffer and override are both changed", () => {
    const both = { autoBuffer: 90_000, pctOverride: 40 };
    expect(lines("claude-code", "reported", both)).toEqual(["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=40"]);
  });

  it("reports that Claude Code cannot compact later than by default", () => {
    expect(lines("claude-code", "reported", { autoBuffer: 5000 })).toEqual(["none"]);
  });

  it("names the trigger that Claude Code's percentage reaches where it differs from the replayed one", () => {
    const policy = requirePolicy("claude-code");
    const specs = policy.settings("reported", { window: 200_000, agent: null });
    const reaches = (autoBuffer: number) =>
      settingToType({ policy, preset: "reported", specs }, resolveSettings(specs, { autoBuffer }), 200_000)?.[0]
        ?.reaches;
    expect(reaches(10_500)).toEqual({ threshold: 167_000, asked: 169_500 });
    expect(reaches(104_500)).toEqual({ threshold: 75_600, asked: 75_500 });
    expect(reaches(90_000)).toBeUndefined();
  });

  it("gives auto-compaction's window as a command, or as a variable in older versions", () => {
    expect(lines("claude-code", "reported", { autoCompactWindow: 150_000 })).toEqual(["/autocompact 150k"]);
    expect(lines("claude-code", "2026-11", { autoCompactWindow: 150_000 })).toEqual(["/autocompact 150k"]);
    expect(lines("claude-code", "reported-2025", { autoCompactWindow: 150_000 })).toEqual([
      "CLAUDE_CODE_AUTO_COMPACT_WINDOW=150000",
    ]);
  });

  it("names the settings file of agents that read one", () => {
    expect([
      lines("codex", "current", { autoCompactLimit: 91_000 }),
      lines("pi", "current", { reserveTokens: 109_000, keepRecentTokens: 10_000 }),
      lines("gemini-cli", "current", { threshold: 0.25 }),
      lines("qwen-code", "as-documented", { threshold: 0.5 }),
      lines("opencode", "current", { inputLimit: 111_000 }),
      lines("opencode", "current", { reserved: 40_000 }),
      lines("openclaw", "release-2026-05", { reserveTokensFloor: 60_000 }),
    ]).toEqual([
      ["~/.codex/config.toml: model_auto_compact_token_limit = 91000"],
      [
        '~/.pi/agent/settings.json: "compaction": { "reserveTokens": 109000 }',
        '~/.pi/agent/settings.json: "compaction": { "keepRecentTokens": 10000 }',
      ],
      ['~/.gemini/settings.json: "model": { "compressionThreshold": 0.25 }'],
      ['~/.qwen/settings.json: "model": { "chatCompression": { "contextPercentageThreshold": 0.5 } }'],
      [
        'opencode.json, provider.PROVIDER.models.MODEL: "limit": { "context": 200000, "input": 111000, "output": 32000 }',
      ],
      ['opencode.json: "compaction": { "reserved": 40000 }'],
      ['~/.openclaw/openclaw.json: "agents": { "defaults": { "compaction": { "reserveTokensFloor": 60000 } } }'],
    ]);
  });

  it("reaches a trigger through the setting that the agent has", () => {
    // Qwen Code's buffer and reserve are constants; 100,000 of 200,000 tokens are a share of 0.5.
    expect(lines("qwen-code", "current", { autoBuffer: 80_000 })).toEqual([
      '~/.qwen/settings.json: "context": { "autoCompactThreshold": 0.5 }',
    ]);
    expect(lines("openclaw", "as-documented", { reserveTokens: 60_000 })).toEqual([
      '~/.openclaw/openclaw.json: "agents": { "defaults": { "compaction": { "reserveTokensFloor": 60000 } } }',
    ]);
  });

  it("is reported as missing if the agent has a constant or removed the key", () => {
    for (const key of ["reserveTokens", "reserveTokensFloor"])
      expect(lines("openclaw", "current", { [key]: 60_000 })).toEqual(["none"]);
    expect(lines("openclaw", "current", { maxHistoryShare: 0.6 })).toEqual(["none"]);
    expect(lines("codex", "current", { userMessageTokens: 10_000 })).toEqual(["none"]);
    expect(lines("gemini-cli", "current", { preserve: 0.5 })).toEqual(["none"]);
    expect(lines("mini-claude-code", "as-documented", { threshold: 0.5 })).toEqual(["none"]);
  });

  it("reports no known setting for replay-only triggers and pause actions", () => {
    expect(lines("custom", "default", { triggerShare: 0.3 })).toEqual(["none"]);
    expect(lines("claude-code", "reported", { keepAliveMinutes: 30 })).toEqual(["none"]);
    expect(lines("claude-code", "reported", { pctOverride: 45, idleMinutes: 5 })).toEqual([
      "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=45",
      "none",
    ]);
    // An assumption of the replay, which nobody would set.
    expect(lines("claude-code", "reported", { summaryTokens: 3000 })).toBeUndefined();
  });

  it("names Claude Code's idle compaction only if the chosen minutes equal the built-in wait", () => {
    expect(lines("claude-code", "2026-11", { idleMinutes: 54 })).toEqual([
      '~/.claude/settings.json: "idleCompaction": true',
    ]);
    expect(lines("claude-code", "2026-11", { idleMinutes: 5 })).toEqual(["none"]);
  });

  it("has a source for every declared text", () => {
    for (const { id, presets, settings } of POLICIES)
      for (const preset of presets)
        for (const { key, inAgent } of settings(preset, { window: 200_000, agent: null }))
          if (inAgent) expect([id, key, inAgent.source.text.length > 3]).toEqual([id, key, true]);
  });
});
