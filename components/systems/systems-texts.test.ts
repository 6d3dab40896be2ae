import { describe, expect, it } from "vitest";
import { LOCALES } from "@/app/i18n/locales";
import en from "@/app/i18n/systems/en.json";
import { agentPolicies } from "@/lib/agents/registry";
import { SYSTEMS_TEXTS } from "./systems-screen";

describe("the texts about policies", () => {
  it("exist in every language, for every agent's policy", async () => {
    expect(Object.keys(SYSTEMS_TEXTS)).toEqual(Object.keys(LOCALES));
    const described = Object.keys(en.policies);
    expect(agentPolicies().filter(({ id }) => !described.includes(id))).toEqual([]);
  });

  it.each(Object.entries(SYSTEMS_TEXTS))(
    "in %s have the keys of English, and contain no number that a setting states",
    async (_, load) => {
      const { page, policies } = await load();
      expect(Object.keys(page)).toEqual(Object.keys(en.page));
      expect(Object.keys(policies)).toEqual(Object.keys(en.policies));
      for (const [id, { source, ...lines }] of Object.entries(policies)) {
        expect(source, id).not.toBe("");
        for (const line of Object.values(lines)) expect(line.replace("v0.51.0", ""), id).toMatch(/^[^0-9]+$/);
      }
    },
  );
});
