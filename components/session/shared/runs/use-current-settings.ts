import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { StatedSettings } from "@/components/settings/setting-rows";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import { windowToExceed } from "@/lib/core/context/window";
import { ask, isServed } from "@/lib/queries/client/client";
import type { ReplayChoice } from "../state/replay-choice";
import { useSession } from "../state/stores";

const NONE: StatedSettings = new Map();

/**
 * Values that the user's own settings files give to a policy's settings, by key; none for another agent's policy. The real agent limits them by the
 * window of the recording, so another window in the panel sends no request.
 */
export function useCurrentSettings({ policy, preset }: Pick<ReplayChoice, "policy" | "preset">) {
  const { id, summary, defaultPolicy } = useSession("id", "summary", "defaultPolicy");
  const window = windowToExceed(summary.contextWindow);
  const asked = { policy: policy.id, preset, window };
  const { data } = useQuery({
    queryKey: ["session", id, "settings", asked],
    queryFn: ({ signal }) => ask("currentSettings", { id, search: asked }, signal),
    enabled: isServed() && summary.agent !== null && policy.id === defaultPolicy,
  });
  return useMemo(() => (data === undefined ? NONE : new Map(data.settings.map((one) => [one.key, one]))), [data]);
}

/** The stated values in the address's format: a default is absent. */
export function settingsInAddress(
  specs: ReplayChoice["specs"],
  stated: StatedSettings,
): Readonly<Record<string, SettingValue>> {
  return Object.fromEntries(
    specs.flatMap(({ key, ...spec }) => {
      const value = stated.get(key)?.value ?? null;
      return value === null || value === spec.default ? [] : [[key, value]];
    }),
  );
}
