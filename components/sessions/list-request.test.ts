import { expect, it } from "vitest";
import { unfilteredRequest } from "./filters";

it("filters select from all sessions, including samples only on request", () => {
  expect(unfilteredRequest({ q: "cache", where: ["agent=codex", "cost>=2"] })).toEqual({ q: "", where: [] });
  expect(unfilteredRequest({ q: "", where: ["agent=codex", "sample=1"] })).toEqual({ q: "", where: ["sample=1"] });
});
