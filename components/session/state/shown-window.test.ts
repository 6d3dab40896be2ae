import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/policies";
import { customPolicy } from "@/lib/core/compaction/custom";
import { shownWindow } from "./shown-window";

const codex = policyById("codex") ?? customPolicy;
const recording = { agent: "codex", contextWindow: { tokens: 258_400, source: "recorded" } } as const;

describe("the window that is shown", () => {
  it("is for Codex the recorded one, with the model's named beside it", () => {
    const shown = shownWindow({ policy: codex, window: { tokens: 272_000, source: "recorded" } }, recording);
    expect(shown).toMatchObject({ tokens: 258_400, model: 272_000 });
    expect(shown.ofPolicy(121_600)).toBe(128_000);
  });

  it("is the policy's own for every other policy, agent or source", () => {
    const window = { tokens: 272_000, source: "user" } as const;
    const others = [
      shownWindow({ policy: customPolicy, window }, recording),
      shownWindow({ policy: codex, window }, { ...recording, agent: "claude-code" }),
      shownWindow({ policy: codex, window }, { ...recording, contextWindow: { tokens: 272_000, source: "default" } }),
    ];
    for (const shown of others) {
      expect(shown.model).toBeUndefined();
      expect([shown.tokens, shown.ofPolicy(5)]).toEqual([272_000, 5]);
    }
  });
});
