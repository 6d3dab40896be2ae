import { agentName } from "@/lib/agents/agents";
import type { SweepSet } from "@/lib/core/analysis/grid";
import { countText } from "@/lib/core/base/number-text";
import type { SettingLineWire } from "@/lib/queries/contract/schemas";

/** A point of a sweep, as `KEY=VALUE`. */
export function setText(set: SweepSet): string {
  return Object.entries(set)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

const SOURCE: Readonly<Record<NonNullable<SettingLineWire["source"]>["kind"], string>> = {
  document: "documented",
  code: "from the code",
  report: "reported",
  ours: "ours",
  own: "own",
};

/** The lines of `settingToType` for a person, or why there are none. */
export function settingText(policy: string, lines: readonly SettingLineWire[]): string {
  if (lines.length === 0)
    return agentName(policy) === undefined
      ? `none, since ${policy} is the policy of no agent`
      : "none, since these are the defaults";
  return lines
    .map(({ key, text, file, source, reaches }) => {
      const tokens = countText(reaches?.threshold ?? null);
      if (text === null)
        return reaches === undefined
          ? `no setting of the agent is known for ${key}`
          : `${key} reaches ${reaches.asked > reaches.threshold ? "up" : "down"} to ${tokens} tokens`;
      const rounded =
        reaches === undefined ? "" : `, compacts at ${tokens} tokens; the results are for ${countText(reaches.asked)}`;
      const where = `${file === null ? "" : ` in ${file}`}${rounded}`;
      return `${text}${where}${source === null ? "" : ` (${SOURCE[source.kind]}: ${source.text})`}`;
    })
    .join("; ");
}
