import { describe, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { stepValue } from "@/lib/core/compaction/policy/nearest-step";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { numberSetting, resolveSettings, type SettingSpec, type Settings } from "@/lib/core/compaction/policy/settings";
import { type NumberSpec, triggerHandle } from "./trigger-setting";

const source = { kind: "ours", text: "test" } as const;

function number(key: string, min: number, max: number, step: number, value: number): NumberSpec {
  return { key, label: key, type: "number", unit: "tokens", min, max, step, default: value, source };
}

function policyWith(threshold: Policy["threshold"]): Policy {
  return {
    id: "test",
    label: "Test",
    presets: ["one"],
    settings: () => [],
    begin: () => {
      throw new Error("not asked in this test");
    },
    ...(threshold === undefined ? {} : { threshold }),
  };
}

function handleOf(policy: Policy, specs: readonly SettingSpec[], settings: Settings) {
  return triggerHandle(policy, specs, { preset: "one", settings, window: 200_000 });
}

const keep = number("keep", 0, 1000, 10, 100);
const share = number("share", 0.1, 1, 0.01, 0.8);
const reserve = number("reserve", 0, 60_000, 500, 33_000);

describe("the trigger handle", () => {
  it("skips a lowest value at which the policy never fires", () => {
    const fromNone = number("share", 0, 1, 0.01, 0.7);
    const policy = policyWith(({ window, settings }) => {
      const value = numberSetting(settings, "share");
      return value <= 0 ? window : window * value;
    });
    const handle = handleOf(policy, [fromNone], { share: 0.7 });
    expect(handle?.rising).toBe(true);
    expect(handle?.valueFor(140_000)).toBe(0.7);
    expect(handle?.valueFor(0)).toBe(0.01);
  });

  it("exists for every agent's policy that has a trigger below the window", () => {
    for (const policy of POLICIES.filter(({ threshold }) => threshold !== undefined)) {
      for (const preset of policy.presets) {
        const specs = policy.settings(preset, { window: 200_000, agent: null });
        const chosen = { preset, settings: resolveSettings(specs, {}), window: 200_000 };
        const handle = triggerHandle(policy, specs, chosen);
        const isWindow = policy.threshold?.(chosen) === chosen.window + 1;
        if (!isWindow) expect(handle, `${policy.id}@${preset}`).toBeDefined();
      }
    }
  });

  it("reaches every size below the default with a setting that the agents have", () => {
    for (const [id, key] of [
      ["opencode", "inputLimit"],
      ["claude-code", "autoBuffer"],
      ["codex", "autoCompactLimit"],
    ]) {
      const policy = POLICIES.find((one) => one.id === id);
      const preset = policy?.presets[0];
      if (policy === undefined || preset === undefined) throw new Error(`${id} is a policy`);
      for (const window of [200_000, 400_000, 1_000_000]) {
        const specs = policy.settings(preset, { window, agent: null });
        const handle = triggerHandle(policy, specs, { preset, settings: resolveSettings(specs, {}), window });
        expect(handle?.spec.key).toBe(key);
        for (const share of [0.05, 0.2, 0.5, 0.75]) {
          const tokens = share * window;
          const reached = handle?.thresholdAt(handle.valueFor(tokens)) ?? 0;
          expect(Math.abs(reached - tokens), `${id} ${tokens}`).toBeLessThanOrEqual(1000);
        }
      }
    }
  });

  it("uses the setting that moves the threshold, whatever its position", () => {
    const policy = policyWith(({ window, settings }) => window * numberSetting(settings, "share"));
    const handle = handleOf(policy, [keep, share], { keep: 100, share: 0.8 });
    expect(handle?.spec.key).toBe("share");
    expect(handle?.valueFor(180_000)).toBe(0.9);
    expect(handle?.valueFor(1_000_000)).toBe(1);
    expect(handle?.valueFor(-5)).toBe(0.1);
  });

  it("works if a larger setting means a lower threshold", () => {
    const policy = policyWith(({ window, settings }) => window - numberSetting(settings, "reserve"));
    const handle = handleOf(policy, [reserve], { reserve: 33_000 });
    expect(handle?.valueFor(167_000)).toBe(33_000);
    expect(handle?.valueFor(167_240)).toBe(33_000);
    expect(handle?.valueFor(500_000)).toBe(0);
    expect(handle?.valueFor(0)).toBe(60_000);
  });

  it("is absent if there is no threshold or no setting that moves it", () => {
    expect(handleOf(policyWith(undefined), [share], { share: 0.8 })).toBeUndefined();
    expect(
      handleOf(
        policyWith(({ window }) => window - 1),
        [share, keep],
        {},
      ),
    ).toBeUndefined();
    const toggle: SettingSpec = { key: "on", label: "on", type: "boolean", default: true, source };
    expect(
      handleOf(
        policyWith(({ window }) => window),
        [toggle],
        {},
      ),
    ).toBeUndefined();
  });

  it("gives values without floating-point noise", () => {
    expect(stepValue(share, 70)).toBe(0.8);
    expect(stepValue(share, 1000)).toBe(1);
  });
});
