import { beforeEach, describe, expect, test, vi } from "vitest";
import { customPolicy } from "@/lib/core/compaction/policies/custom";

/** The modules as in a page that has not loaded any agent. */
async function fresh() {
  vi.resetModules();
  return { ...(await import("./policies")), ...(await import("./policies")) };
}

let agents: Awaited<ReturnType<typeof fresh>>;

beforeEach(async () => {
  agents = await fresh();
});

describe("an agent before it is loaded", () => {
  test("has a name and no policy", () => {
    expect(agents.policyById("codex")).toBeUndefined();
    expect(agents.profileOf("codex")).toBeUndefined();
    expect(agents.isLoaded("codex")).toBe(false);
    expect(agents.policyNames()).toContainEqual(expect.objectContaining({ id: "codex", label: "Codex" }));
    expect(agents.POLICIES.map(({ id }) => id)).toEqual(["custom", "rent-to-buy", "none", "recorded"]);
  });

  test("does not allow an added policy to take its name", () => {
    const named = { ...customPolicy, id: "codex", own: "codex.js" };
    expect(() => agents.replacePolicy(named)).toThrow("there is a policy codex already");
    expect(() => agents.addPolicy(named)).toThrow("There is a policy codex already");
  });
});

test("agents load one by one, and are listed in the order of their names", async () => {
  await agents.loadAgents(["pi", "nobody"]);
  await agents.loadAgents(["codex"]);
  expect(agents.POLICIES.slice(0, 3).map(({ id }) => id)).toEqual(["codex", "pi", "custom"]);
  expect(agents.policyById("codex")?.presets).toContain("current");
  expect(agents.isLoaded("claude-code")).toBe(false);
  expect(agents.isLoaded("nobody")).toBe(true);
});

test("the profiles of all loaded agents match their summaries", async () => {
  await agents.loadAllAgents();
  const { PROFILES } = await import("./registry");
  const { AGENT_SUMMARIES } = await import("./agents");
  for (const { id, hasPolicy } of AGENT_SUMMARIES) {
    const profile = agents.profileOf(id);
    expect(profile).toBe(Reflect.get(PROFILES, id));
    expect(profile?.policy?.id, id).toBe(hasPolicy ? id : undefined);
  }
  expect(agents.policyNames().map(({ id, label }) => [id, label])).toEqual(
    agents.POLICIES.map(({ id, label }) => [id, label]),
  );
});

test("an action that needs a policy runs at once, or as soon as the policy is loaded", async () => {
  const done: string[] = [];
  agents.whenLoaded("custom", () => done.push("custom"));
  agents.whenLoaded("pi", () => done.push("pi"));
  expect(done).toEqual(["custom"]);
  await vi.waitFor(() => expect(done).toEqual(["custom", "pi"]));
});

test("a policy chosen while another one loads stays chosen", async () => {
  const chosen: string[] = [];
  agents.whenLoaded("pi", () => chosen.push("pi"));
  agents.whenLoaded("custom", () => chosen.push("custom"));
  await vi.waitFor(() => expect(agents.isLoaded("pi")).toBe(true));
  await Promise.resolve();
  expect(chosen).toEqual(["custom"]);
  agents.whenLoaded("pi", () => chosen.push("pi"));
  expect(chosen).toEqual(["custom", "pi"]);
});
