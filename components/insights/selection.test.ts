import { expect, it } from "vitest";
import { NO_FILTERS } from "@/components/sessions/testing/rows";
import { askedSelection, sessionsHref } from "./selection";

it("insights cover the filtered sessions, or the ticked ones", () => {
  expect(askedSelection(NO_FILTERS, [])).toEqual({ where: [] });
  const filters = { ...NO_FILTERS, q: " test ", agent: ["codex"], where: ["day=2026-01-02"] };
  expect(askedSelection(filters, [])).toEqual({ q: "test", where: ["agent=codex", "day=2026-01-02"] });
  expect(askedSelection(filters, ["a", "b"])).toEqual({ where: [], sessions: ["a", "b"] });
});

it("a bar links to the list with the page's filters and the bar's own condition", () => {
  const search = new URLSearchParams("agent=codex&small=tokens&by=agent&where=peak>=10");
  expect(sessionsHref(search)).toBe("/?agent=codex&where=peak%3E%3D10");
  expect(sessionsHref(search, { where: "day=2026-01-02" })).toBe("/?agent=codex&where=peak%3E%3D10%7Eday%3D2026-01-02");
  expect(sessionsHref(new URLSearchParams("seed=3"), { model: "opus" })).toBe("/?model=opus");
  expect(sessionsHref(new URLSearchParams())).toBe("/");
});
