import { describe, expect, it } from "vitest";
import { REQUEST_CLASS } from "@/lib/core/columns/request-keys";
import type { RelatedInput } from "./related-input";
import { relate } from "./relations";

/** A session with letters for its requests. */
interface Sketch {
  readonly id: string;
  /** The requests, one letter each; lower case stands for the same sizes as upper case, but other times. */
  readonly requests?: string;
  /** Number of them that the file attributes to another session. */
  readonly inherited?: number;
  readonly session?: string;
  readonly ended?: number;
  readonly agentId?: string;
  readonly parents?: RelatedInput["summary"]["links"]["parents"];
  readonly subagents?: RelatedInput["summary"]["links"]["subagents"];
  readonly placed?: RelatedInput["placed"];
  readonly format?: string;
}

function inputOf({
  id,
  requests = "",
  inherited = 0,
  session = id,
  ended = 0,
  agentId,
  parents = [],
  subagents = [],
  placed = {},
  format = "f",
}: Sketch): RelatedInput {
  const codes = (text: string) => Float64Array.from(text, (letter) => letter.charCodeAt(0));
  return {
    id,
    placed,
    summary: {
      format,
      sessionId: session,
      requests: requests.length,
      startedAt: "2026-01-01T00:00:00.000Z",
      endedAt: new Date(ended).toISOString(),
      links: { agentId: agentId ?? null, parents, subagents },
    },
    keys: {
      exact: codes(requests),
      sizes: codes(requests.toUpperCase()),
      classes: [REQUEST_CLASS.inherited, inherited, REQUEST_CLASS.own, requests.length - inherited],
    },
  };
}

/** Every session with its relations to the others, and the number of its requests that another one counts. */
function related(...sessions: Sketch[]): string[] {
  const found = relate(sessions.map(inputOf));
  return sessions.map(({ id }) => {
    const { relations = [], elsewhere = [] } = found.get(id) ?? {};
    const words = relations.map(
      ({ kind, id: other, callId }) => `${kind} ${other}${callId === undefined ? "" : ` by ${callId}`}`,
    );
    return `${[id, ...words].join(", ")}; ${elsewhere.length}`;
  });
}

describe("relations by requests", () => {
  it("earlier states of a session are copies of the longest one, which counts all requests", () => {
    expect(
      related(
        { id: "1", session: "s", requests: "AB" },
        { id: "2", session: "s", requests: "ABCD" },
        { id: "3", session: "s", requests: "ABC" },
      ),
    ).toEqual(["1, copy-of 2; 2", "2, has-copy 3, has-copy 1; 0", "3, copy-of 2; 3"]);
  });

  it("an earlier state that ends in an incomplete response is still a copy", () => {
    expect(related({ id: "1", session: "s", requests: "ABx" }, { id: "2", session: "s", requests: "ABCD" })).toEqual([
      "1, copy-of 2; 2",
      "2, has-copy 1; 0",
    ]);
  });

  it("a duplicate under another id is a copy", () => {
    expect(related({ id: "1", requests: "AB" }, { id: "2", requests: "AB" })).toEqual([
      "1, has-copy 2; 0",
      "2, copy-of 1; 2",
    ]);
  });

  it("a session that begins with all requests of another one continues it", () => {
    expect(related({ id: "1", requests: "AB" }, { id: "2", requests: "ABC" })).toEqual([
      "1, continued-by 2; 2",
      "2, continues 1; 0",
    ]);
  });

  it("of two sessions that diverge, the one that ended later is a fork of the other", () => {
    expect(related({ id: "1", requests: "ABC", ended: 5 }, { id: "2", requests: "ABD", ended: 9 })).toEqual([
      "1, has-fork 2; 0",
      "2, fork-of 1; 2",
    ]);
    expect(related({ id: "1", requests: "ABC", ended: 5 }, { id: "2", requests: "ABDEF", ended: 9 })).toEqual([
      "1, has-fork 2; 0",
      "2, fork-of 1; 2",
    ]);
  });

  it("sessions without a common request are not related, nor are requests without a time", () => {
    expect(related({ id: "1", requests: "AB" }, { id: "2", requests: "CD" })).toEqual(["1; 0", "2; 0"]);
    const untimed = {
      ...inputOf({ id: "1" }),
      keys: { exact: Float64Array.of(Number.NaN), sizes: Float64Array.of(1), classes: [REQUEST_CLASS.own, 1] },
    };
    expect(relate([untimed, { ...untimed, id: "2" }]).get("2")).toEqual({ relations: [], elsewhere: [] });
  });

  it("every distinct request of a family counts once", () => {
    const sessions = ["ABCD", "AB", "ABX", "CDY", "Z", "ABCD"].map((requests, at) => ({ id: String(at), requests }));
    const found = relate(sessions.map(inputOf));
    const counted = sessions.reduce(
      (sum, { id, requests }) => sum + requests.length - (found.get(id)?.elsewhere.length ?? 0),
      0,
    );
    expect(counted).toBe(new Set(sessions.map(({ requests }) => requests).join("")).size);
  });
});

describe("relations by ids and paths", () => {
  it("a subagent's file is linked to the parent whose id it has, and to the call that started it", () => {
    expect(
      related(
        { id: "1", session: "s", requests: "AB", subagents: [{ agentId: "a1", callId: "toolu_1" }] },
        { id: "2", session: "s", requests: "CDEF", agentId: "a1", parents: [{ session: "s", kind: "subagent" }] },
      ),
    ).toEqual(["1, has-subagent 2 by toolu_1; 0", "2, subagent-of 1 by toolu_1; 0"]);
  });

  it("two subagents of an unlisted session are not related to each other", () => {
    const parents = [{ session: "s", kind: "subagent" as const }];
    const subagent = { session: "s", parents };
    expect(related({ id: "1", agentId: "a1", ...subagent }, { id: "2", agentId: "a2", ...subagent })).toEqual([
      "1; 0",
      "2; 0",
    ]);
  });

  it("a subagent's file is linked even if only its path names the parent", () => {
    const placed = { parentSession: "s", agentId: "a1" };
    expect(related({ id: "1", session: "s" }, { id: "2", session: "x", placed })).toEqual([
      "1, has-subagent 2; 0",
      "2, subagent-of 1; 0",
    ]);
  });

  it("a subagent's file is linked even if only its parent names it", () => {
    expect(related({ id: "1", subagents: [{ agentId: "2", callId: null }] }, { id: "2" })).toEqual([
      "1, has-subagent 2; 0",
      "2, subagent-of 1; 0",
    ]);
  });

  it("a copy of the parent that names the same subagent is not taken for its parent", () => {
    const subagents = [{ agentId: "a1", callId: "toolu_1" }];
    expect(
      related(
        { id: "1", session: "s", requests: "ABC", subagents },
        { id: "2", session: "s", requests: "AB", subagents },
        { id: "3", session: "t", requests: "ABX", ended: 9, subagents },
        { id: "4", session: "s", agentId: "a1", parents: [{ session: "s", kind: "subagent" }] },
      ).at(-1),
    ).toBe("4, subagent-of 1 by toolu_1; 0");
  });

  it("requests that a subagent's file copies from its parent count in the parent", () => {
    expect(
      related(
        { id: "1", session: "s", requests: "ABC" },
        { id: "2", session: "s", requests: "ABCDE", agentId: "compact", parents: [{ session: "s", kind: "subagent" }] },
      ),
    ).toEqual(["1, has-subagent 2; 0", "2, subagent-of 1; 3"]);
  });

  it("a fork with new timestamps counts only its own requests", () => {
    expect(
      related({ id: "1", requests: "ABCD" }, { id: "2", requests: "abX", parents: [{ session: "1", kind: "fork" }] }),
    ).toEqual(["1, has-fork 2; 0", "2, fork-of 1; 2"]);
  });

  it("the name of a parent in another format or of an unlisted parent gives no relation", () => {
    const parents = [{ session: "1", kind: "fork" as const }];
    expect(
      related({ id: "1" }, { id: "2", parents, format: "g" }, { id: "3", parents: [{ session: "9", kind: "fork" }] }),
    ).toEqual(["1; 0", "2; 0", "3; 0"]);
  });
});
