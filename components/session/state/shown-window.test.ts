import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/policies";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { shownWindow } from "./shown-window";

const codex = policyById("codex") ?? customPolicy;
const recording = { agent: "codex", contextWindow: { tokens: 258_400, source: "recorded" } } as const;

describe("the window that is shown", () => {
  it("is for Codex the recorded one, with the model's named beside it", () => {
    const window = { tokens: 272_000, source: "recorded" } as const;
    const shown = shownWindow({ policy: codex, window, defaultWindow: 272_000 }, recording);
    expect(shown).toMatchObject({ tokens: 258_400, model: 272_000 });
    expect(shown.ofPolicy(121_600)).toBe(128_000);
  });

  it("is the policy's own for every other policy, agent, source or model", () => {
    const choice = { policy: codex, window: { tokens: 272_000, source: "user" }, defaultWindow: 272_000 } as const;
    const others = [
      shownWindow({ ...choice, policy: customPolicy }, recording),
      shownWindow(choice, { ...recording, agent: "claude-code" }),
      shownWindow(choice, { ...recording, contextWindow: { tokens: 272_000, source: "default" } }),
      // The model's window is another one than that which the session was given.
      shownWindow(choice, { ...recording, contextWindow: { tokens: 121_600, source: "recorded" } }),
    ];
    for (const shown of others) {
      expect(shown.model).toBeUndefined();
      expect([shown.tokens, shown.ofPolicy(5)]).toEqual([272_000, 5]);
    }
  });
});
