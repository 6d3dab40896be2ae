import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND } from "@/lib/core/columns/columns";
import type { Policy, PolicyChosen, PolicyPlan } from "@/lib/core/compaction/policy";
import { OPENCLAW_MEASURES } from "../constants";
import { OPENCLAW_PRESETS, type OpenClawPreset, openClawPreset } from "../presets";
import type { Release } from "./release";
import { release202621 } from "./release-2026.2.1";
import { release202657 } from "./release-2026.5.7";
import { release202696 } from "./release-2026.9.6";
import { openClawSettings } from "./settings";
import { resizedTokens } from "./sizes";

const RELEASES: Readonly<Record<OpenClawPreset, Release>> = {
  "as-documented": release202621,
  "release-2026-02": release202621,
  "release-2026-05": release202657,
  current: release202696,
};

function releaseOf({ preset }: Pick<PolicyChosen, "preset">): Release {
  return RELEASES[openClawPreset(preset)];
}

/**
 * How OpenClaw handles its context, over numbers. `as-documented` (2026.2.1) looks between runs, at the last response's usage, and cuts as pi
 * 0.51 does; `release-2026-02` also has a defect of that pi, and loses what the last compaction kept. `release-2026-05` (2026.5.7) also estimates
 * every prompt before it is sent, and leaves a part of small windows for it; `current` (2026.9.6) overestimates what came since the last response,
 * and may shorten tool results instead of compacting. In all of them, the turns of a direct chat are limited, old results are pruned after an idle time, and memories are written down shortly before a
 * compaction. Source: README.md, "Rules".
 */
export const openClawPolicy: Policy = {
  id: "openclaw",
  label: "OpenClaw",
  presets: OPENCLAW_PRESETS,
  presetDates: { current: "2026-09" },
  settings: openClawSettings,
  measures: OPENCLAW_MEASURES,
  entryRule: { settings: ["toolResultChars"], tokens: entryTokens },
  clearsBy: "pruning",
  threshold: (chosen) => releaseOf(chosen).threshold(chosen),
  looksBack: (chosen) => releaseOf(chosen).looksBack(chosen),
  begin: (plan) => releaseOf(plan).begin(plan),
};

/** Entry rule: a result is cut to what OpenClaw's own tools return; `current` also cuts it to its limit. */
function entryTokens(plan: PolicyPlan, item: ItemIndex, tokens: Tokens): Tokens {
  const { columns, settings } = plan;
  if (columns.kind[item] !== KIND.tool_result) return tokens;
  const { recorded, entered, uncut } = releaseOf(plan).results;
  const rest = uncut(columns, item);
  return resizedTokens(tokens, rest + recorded(columns, item), rest + entered(columns, item, settings));
}
