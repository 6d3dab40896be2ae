import { describe, expect, it } from "vitest";
import { recordingOf } from "@/lib/core/context/recording";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { sessionColumns } from "../../testing/session-columns";
import { type AskedReplay, policyChoice, presetToName, withSettings } from "./replay-choice";

const columns = sessionColumns({ categories: ["user"] });
const recording = recordingOf(unknownFacts(200_000), { columns, tokens: Int32Array.of(1) });
const nothing: AskedReplay = { policy: null, preset: null, counting: null, window: null };

function chosen(asked: Partial<AskedReplay>, byDefault = "custom") {
  return policyChoice({ ...nothing, ...asked }, byDefault, recording);
}

describe("the replay settings in an address", () => {
  it("are the session's defaults if the address has none", () => {
    const choice = chosen({});
    expect([choice.policy.id, choice.preset, choice.counting]).toEqual(["custom", "default", "estimate"]);
    expect(choice.window.tokens).toBe(choice.defaultWindow);
    expect(withSettings(choice, {}).changed.size).toBe(0);
  });

  it("select the recording's version without a policy, and a policy's first preset without a preset", () => {
    const own = { ...recording.facts, agent: "codex", agentVersion: "0.142.2" };
    const presetOf = (policy: string | null, preset: string | null) =>
      policyChoice({ ...nothing, policy, preset }, "codex", { ...recording, facts: own }).preset;
    expect(presetOf(null, null)).toBe("current");
    expect(presetOf(null, "release-2026-01")).toBe("release-2026-01");
    expect(presetOf("codex", null)).toBe("as-documented");
    expect(presetOf("codex", "nonsense")).toBe("as-documented");
    expect(presetOf("codex", "release-2026-01")).toBe("release-2026-01");
    expect(presetOf("qwen-code", null)).toBe("as-documented");
    expect(presetOf("codex", "2026-08")).toBe("current");
    expect([presetToName("codex", own), presetToName("qwen-code", own)]).toEqual(["2026-08", null]);
    expect(presetToName("codex", { ...own, agent: "pi" })).toBeNull();
  });

  it("ignore names that this build does not know", () => {
    const choice = chosen({ policy: "of-a-newer-build", preset: "nonsense", window: 12 });
    expect([choice.policy.id, choice.preset, choice.window.tokens]).toEqual([
      "custom",
      "default",
      choice.defaultWindow,
    ]);
  });

  it("include a window, and its default", () => {
    const choice = chosen({ window: 100_000 });
    expect([choice.window.tokens, choice.window.source, choice.defaultWindow]).toEqual([100_000, "user", 200_000]);
  });

  it("are limited to their ranges; unknown ones are ignored, and changed ones are listed", () => {
    const replay = withSettings(chosen({}), { triggerShare: 0.5, keepRecentTokens: -1, toString: 3, autoBuffer: 9 });
    expect(replay.settings.triggerShare).toBe(0.5);
    expect(replay.settings.keepRecentTokens).toBe(20_000);
    expect([...replay.changed]).toEqual(["triggerShare"]);
  });
});
