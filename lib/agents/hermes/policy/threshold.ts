import type { Tokens } from "@/lib/core/base/units";
import type { PolicyChosen } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { MINIMUM_TRIGGER, SMALL_WINDOW_SHARE } from "../base/constants";

/** Size at which Hermes compacts: `_compute_threshold_tokens`. Source: README.md, "Rules". */
export function triggerOf({ window, settings }: PolicyChosen): Tokens {
  const rest = window - numberSetting(settings, "maxOutputTokens");
  const usable = rest > 0 ? rest : window;
  const trigger = Math.max(Math.trunc(usable * numberSetting(settings, "triggerShare")), MINIMUM_TRIGGER);
  return trigger < usable ? trigger : Math.max(1, Math.min(Math.trunc(usable * SMALL_WINDOW_SHARE), usable - 1));
}
