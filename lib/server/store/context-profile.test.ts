import { expect, it } from "vitest";
import { ProfileError, parseProfile } from "./context-profile";

const MAX_TOKENS = 1_000_000_000;

it("a profile may give sizes as numbers, up to a maximum total", () => {
  const profile = {
    systemPrompt: MAX_TOKENS - 3,
    tools: [{ name: "t", schema: 1 }],
    memoryFiles: [{ path: "a", content: 2 }],
  };
  expect(parseProfile(profile)).toEqual(profile);
  const more = { ...profile, skills: [{ name: "s", description: 1 }] };
  expect(() => parseProfile(more)).toThrow(new ProfileError("the profile: comes to more than 1,000,000,000 tokens"));
});

it.each([-1, 0.5, MAX_TOKENS + 1, 1e300, Number.POSITIVE_INFINITY])("a profile with the size %d is refused", (size) => {
  expect(() => parseProfile({ systemPrompt: size })).toThrow(ProfileError);
  expect(() => parseProfile({ tools: [{ name: "t", schema: size }] })).toThrow(ProfileError);
});
