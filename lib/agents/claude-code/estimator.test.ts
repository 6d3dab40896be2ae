import { describe, expect, it } from "vitest";
import { apiMessageTokens, claudeCodeEstimator } from "./estimator";

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

describe("the Claude Code estimator", () => {
  it("counts a quarter of a text's UTF-16 units, rounded up for each block, and 1,600 for an image", () => {
    expect(claudeCodeEstimator.id).toBe("claude-code");
    expect(["", "a", "abcd", "会话会话会"].map(claudeCodeEstimator.text)).toEqual([0, 1, 1, 2]);
    const content = [{ type: "text", text: "12345" }, image, { type: "text", text: "1" }];
    expect(claudeCodeEstimator.message?.({ role: "user", content })).toBe(2 + 1600 + 1);
    expect(claudeCodeEstimator.message?.({ role: "assistant", content: "12345678" })).toBe(2);
  });

  it("returns undefined for values that are not messages", () => {
    for (const none of [undefined, null, "text", 7, {}, { role: "user" }]) {
      expect(apiMessageTokens(none, (text) => text.length)).toBeUndefined();
    }
  });
});
