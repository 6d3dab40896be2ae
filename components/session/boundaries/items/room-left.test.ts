import { describe, expect, it } from "vitest";
import { roomLeft } from "./room-line";

const leaving = (tokensAfter: number) => ({ tokensAfter });

describe("free space after a boundary", () => {
  it("is the distance to the trigger, in tokens and in requests at the session's growth rate", () => {
    expect(roomLeft(leaving(40_674), 155_000, 1_874)).toEqual({ trigger: 155_000, free: 114_326, requests: 61 });
    expect(roomLeft(leaving(990), 1_000, 500)?.requests).toBe(1);
  });

  it("is stated without requests if there is no growth rate", () => {
    expect(roomLeft(leaving(400), 1_000, undefined)).toEqual({ trigger: 1_000, free: 600, requests: undefined });
  });

  it("is absent without a trigger, above it, or if the next request restores the context", () => {
    expect(roomLeft(leaving(400), undefined, 10)).toBeUndefined();
    expect(roomLeft(leaving(1_000), 1_000, 10)).toBeUndefined();
    expect(roomLeft({ tokensAfter: 400, transient: true }, 1_000, 10)).toBeUndefined();
  });
});
