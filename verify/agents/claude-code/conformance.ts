import { projectSlug } from "@/lib/agents/claude-code/base/places";
import { claudeCodePolicy } from "@/lib/agents/claude-code/policy/policy";
import { autoCompactThreshold, effectiveWindow } from "@/lib/agents/claude-code/policy/threshold";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { isObject } from "@/lib/core/records/fields";
import type { Conformance } from "@/verify/golden";

/** Runs golden cases through our functions. The expected answers were computed with a reported formula; no program was run for them. */
export const conformance: Conformance = {
  "threshold-formula": (input, { preset }) => {
    const { window, ...given } = isObject(input) ? input : {};
    const size = Number(window);
    const specs = claudeCodePolicy.settings(preset, { window: size, agent: "claude-code" });
    const settings = resolveSettings(specs, given);
    const threshold = autoCompactThreshold(size, settings);
    return {
      effectiveWindow: effectiveWindow(size, settings),
      threshold,
      reservedBuffer: size - threshold,
    };
  },
  "project-slug": (input) => projectSlug(String(input)),
};
