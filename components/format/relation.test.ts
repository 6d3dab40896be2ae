import { describe, expect, it } from "vitest";
import type { RelatedSession } from "@/lib/queries/contract/types";
import { originOf, subagentOf } from "./relation";

function related(kind: RelatedSession["kind"], id: string, callId: string | null = null): RelatedSession {
  return { kind, id, title: `title of ${id}`, callId };
}

describe("the origin of a session", () => {
  it("is the most specific of its relations", () => {
    expect(originOf([related("fork-of", "a"), related("has-copy", "b"), related("subagent-of", "c")])?.id).toBe("c");
    expect(originOf([related("fork-of", "a"), related("copy-of", "b")])?.id).toBe("b");
  });

  it("is absent for a session of which others are copies or forks", () => {
    expect(
      originOf([related("has-fork", "a"), related("continued-by", "b"), related("has-subagent", "c")]),
    ).toBeUndefined();
  });
});

describe("the subagent of a call", () => {
  const sessions = [
    related("has-subagent", "a", "toolu_1"),
    related("has-subagent", "b"),
    related("subagent-of", "c", "toolu_2"),
  ];

  it("is found by the call's id, and by no other id", () => {
    expect(subagentOf(sessions, "toolu_1")?.id).toBe("a");
    expect(subagentOf(sessions, "toolu_2")).toBeUndefined();
    expect(subagentOf(sessions, null)).toBeUndefined();
  });
});
