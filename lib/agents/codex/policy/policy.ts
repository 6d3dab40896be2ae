import type { Policy, PolicyChosen } from "@/lib/core/compaction/policy";
import { CODEX_PRESETS, type CodexPreset, codexPreset, codexSettings } from "../presets";
import { current } from "./current";
import { entryTokens } from "./entry";
import { CODEX_MEASURES } from "./measures";
import type { Release } from "./release";
import { release202601 } from "./release-2026-01";

/** The document prints no code of the policy, so its preset has the rules of the release that it describes. */
const RELEASES: Readonly<Record<CodexPreset, Release>> = {
  "as-documented": release202601,
  "release-2026-01": release202601,
  current,
};

function releaseOf({ preset }: Pick<PolicyChosen, "preset">): Release {
  return RELEASES[codexPreset(preset)];
}

/**
 * Codex's compaction over numbers. It fires when the last response's total reaches the limit, keeps the initial context and the newest user
 * messages within a budget, and adds a summary after them. Everything else leaves. Source: README.md, "Presets".
 */
export const codexPolicy: Policy = {
  id: "codex",
  label: "Codex",
  presets: CODEX_PRESETS,
  presetDates: { current: "2026-08" },
  settings: codexSettings,
  measures: CODEX_MEASURES,
  entryRule: { settings: ["toolOutputTokens"], tokens: entryTokens },
  threshold: (chosen) => releaseOf(chosen).threshold(chosen),
  begin: (plan) => releaseOf(plan).begin(plan),
};
