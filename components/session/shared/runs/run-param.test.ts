import { describe, expect, it } from "vitest";
import { parseRun, runsParser, runText } from "./run-param";

describe("a run in the address", () => {
  it("is written as on the command line, and read back", () => {
    const run = {
      policy: "codex",
      preset: "current",
      window: 258_400,
      settings: { autoCompactLimit: 180_000, remote: false, failSummary: "always", threshold: 0.75 },
      schedule: "best" as const,
    };
    const text =
      "codex@current,autoCompactLimit=180000,remote=false,failSummary=always,threshold=0.75,window=258400,schedule=best";
    expect(runText(run)).toBe(text);
    expect(parseRun(text)).toEqual(run);
  });

  it("contains only values that the user selected", () => {
    const plain = { policy: "none", preset: null, window: null, settings: {}, schedule: "own" as const };
    expect(runText(plain)).toBe("none");
    expect(runText({ ...plain, settings: { threshold: null } })).toBe("none");
    expect(parseRun("none")).toEqual(plain);
  });

  it("is invalid without a policy, and unknown settings in it are ignored", () => {
    expect(parseRun("")).toBeNull();
    expect(parseRun("@current")).toBeNull();
    expect(parseRun("pi,=3,nonsense,window=wide,schedule=worst")).toEqual({
      policy: "pi",
      preset: null,
      window: null,
      settings: {},
      schedule: "own",
    });
  });

  it("can stand in a list of runs", () => {
    expect(runsParser.parse("codex@current~custom,triggerShare=0.5")?.map(runText)).toEqual([
      "codex@current",
      "custom,triggerShare=0.5",
    ]);
  });
});
