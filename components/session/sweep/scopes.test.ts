import { expect, it } from "vitest";
import { aView } from "@/components/sessions/testing/rows";
import { scopesOf } from "./several-recordings";

const origin = { kind: "copy-of", id: "x", callId: null } as NonNullable<ReturnType<typeof aView>["origin"]>;
const ROWS = [
  aView("other", { project: "/b", agentId: "pi", state: "ready" }),
  aView("copy", { project: "/a", agentId: "codex", state: "ready", origin }),
  aView("same", { project: "/a", agentId: "codex", state: "no-usage" }),
  aView("own", { project: "/a", agentId: "codex", state: "ready" }),
  aView("kin", { project: "/c", agentId: "codex", state: "ready" }),
  aView("broken", { project: "/a", agentId: "codex", state: "failed" }),
  aView("unread", { project: "/a", agentId: "codex", state: "indexing" }),
];

it("project, agent and all sessions are scopes, without copies and unread sessions, own session first", () => {
  expect([...scopesOf(ROWS, "own")]).toEqual([
    ["project", ["own", "same"]],
    ["agent", ["own", "same", "kin"]],
    ["all", ["own", "other", "same", "kin"]],
  ]);
});

it("the first scope has the sessions selected in the list, copies included", () => {
  const scopes = scopesOf(ROWS, "own", ["copy", "own", "other"]);
  expect([...scopes.keys()]).toEqual(["chosen", "project", "agent", "all"]);
  expect(scopes.get("chosen")).toEqual(["own", "copy", "other"]);
  expect(scopesOf(ROWS, "own", ["own"]).has("chosen")).toBe(false);
  expect(scopesOf([], "own", ["other"]).get("chosen")).toEqual(["own", "other"]);
});

it("a scope with the same sessions as a smaller one is left out", () => {
  const rows = [aView("own", { agentId: "pi", state: "ready" }), aView("b", { agentId: "pi", state: "ready" })];
  expect([...scopesOf(rows, "own").keys()]).toEqual(["agent"]);
  expect(scopesOf(rows.slice(0, 1), "own").size).toBe(0);
  expect(scopesOf(rows, "gone").size).toBe(0);
});

it("a scope has at most as many sessions as one sweep takes", () => {
  const rows = Array.from({ length: 2500 }, (_, at) => aView(`${at}`, { state: "ready" }));
  expect(scopesOf(rows, "7").get("all")).toHaveLength(2000);
});
