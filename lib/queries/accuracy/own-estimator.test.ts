import { describe, expect, it } from "vitest";
import { PROFILES } from "@/lib/agents/registry";
import type { AgentProfile } from "@/lib/agents/shared/profile";
import { presetsOf } from "@/lib/server/read/numbers/estimators";
import { ownEstimator } from "./own-estimator";

/** Neither field says more about the agent of a recording. */
const UNDATED = { formatVersion: null, endedAt: null };

describe("the estimator of a recording's own agent", () => {
  const codex = (agentVersion: string | null) => ({ ...UNDATED, agent: "codex", agentVersion });

  it.each([
    ["0.142.5", "codex@current"],
    ["0.80.0", "codex@release-2026-01"],
    [null, "codex@release-2026-01"],
  ])("counts as the preset of its agent's version %s", (version, estimator) => {
    expect(ownEstimator(codex(version))).toBe(estimator);
    for (const policy of ["recorded", "custom", "pi"]) {
      expect(ownEstimator(codex(version), { policy, preset: "current" })).toBe(estimator);
    }
  });

  it("counts by the rule of the replayed preset", () => {
    const session = codex("0.142.5");
    expect(ownEstimator(session, { policy: "codex", preset: "release-2026-01" })).toBe("codex@release-2026-01");
    expect(ownEstimator(session, { policy: "codex" })).toBe("codex");
    expect(ownEstimator(session, { policy: "codex", preset: "as-documented" })).toBe("codex");
  });

  it("is the agent's only rule if presets count alike, and bytes-4 without an agent", () => {
    expect(ownEstimator({ ...UNDATED, agent: "claude-code", agentVersion: "2.1.17" })).toBe("claude-code");
    expect(ownEstimator({ ...UNDATED, agent: null, agentVersion: null })).toBe("bytes-4");
  });

  const profiles: readonly AgentProfile[] = Object.values(PROFILES);

  it.each(profiles)("$id states the same presets as its rule", ({ estimator, estimatorPresets }) => {
    expect(presetsOf(estimator)).toEqual(estimatorPresets ?? []);
  });
});
