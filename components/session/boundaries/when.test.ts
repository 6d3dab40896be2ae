import { describe, expect, it } from "vitest";
import { drawColumns } from "@/lib/core/testing/draw";
import { compactionAt } from "../testing/boundaries";
import { boundaryWhen } from "./boundary-heading";

const metrics = { line: 3, trigger: "auto", tokensBefore: null, tokensAfter: null, summaryTokens: null } as const;
const recordedAt = (at: string | null, durationMs: number | null) => ({
  ...metrics,
  summaryLine: null,
  at,
  durationMs,
});

describe("the time of a boundary", () => {
  const columns = drawColumns("u1 a1 u1 a1 | a1 B s1 u1 a1");
  const at = (request: number, kind: "recorded" | "simulated" = "recorded", ordinal = 0) => ({
    kind,
    ordinal,
    compaction: compactionAt(request),
  });

  it("is that of the boundary's record, with the turn of the next request", () => {
    const recorded = [recordedAt(null, null), recordedAt("2026-02-01T12:13:49.000Z", 71_250)];
    expect(boundaryWhen(at(3, "recorded", 1), columns, recorded)).toEqual({
      at: Date.UTC(2026, 1, 1, 12, 13, 49),
      turn: 2,
      took: 71_250,
    });
    expect(boundaryWhen(at(1), columns, recorded)).toEqual({ at: undefined, turn: 1, took: undefined });
  });

  it("is unknown for a simulated boundary, and for a server that does not send times", () => {
    expect(boundaryWhen(at(2, "simulated"), columns, [recordedAt("2026-02-01T12:13:49.000Z", 5)])).toEqual({
      at: undefined,
      turn: 1,
      took: undefined,
    });
    expect(boundaryWhen(at(1), columns, [{ ...metrics, summaryLine: null }]).at).toBeUndefined();
  });

  it("has no turn before the first user message", () => {
    expect(boundaryWhen(at(0), drawColumns("x5 a1"), []).turn).toBeUndefined();
  });
});
