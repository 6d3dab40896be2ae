import { describe, expect, it } from "vitest";
import { CODEX_PRESETS } from "@/lib/agents/codex/base/presets";
import { PROFILES } from "@/lib/agents/registry";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import { estimatorOf, requireEstimator } from "./estimators";
import { UnknownEstimatorError } from "./unknown-estimator-error";

describe("estimators", () => {
  it("include every agent's own", () => {
    for (const { estimator } of Object.values(PROFILES)) expect(() => requireEstimator(estimator)).not.toThrow();
  });

  it("include Codex in every preset, the default first", async () => {
    expect(requireEstimator("codex").presets).toEqual(CODEX_PRESETS);
    expect((await estimatorOf("codex@current")).id).toBe("codex");
  });

  it("based on sizes give a text the same count as its size", async () => {
    for (const id of ["bytes-4", "chars-4"]) {
      expect(isSizeEstimator(id)).toBe(true);
      expect((await estimatorOf(id)).text("会话 abc")).toBe(id === "bytes-4" ? 3 : 2);
    }
  });

  it("are loaded once", async () => {
    expect(await estimatorOf("o200k")).toBe(await estimatorOf("o200k"));
  });

  it.each(["nope", "codex@nope", "o200k@current", "", "__proto__", "constructor"])("do not include %j", (name) => {
    expect(() => requireEstimator(name)).toThrow(UnknownEstimatorError);
  });
});
