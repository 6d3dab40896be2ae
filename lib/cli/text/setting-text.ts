import { agentName } from "@/lib/agents/agents";
import type { SweepSet } from "@/lib/core/analysis/grid";
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
    .map(({ key, text, file, source }) => {
      if (text === null) return `no setting of the agent is known for ${key}`;
      const where = file === null ? "" : ` in ${file}`;
      return `${text}${where}${source === null ? "" : ` (${SOURCE[source.kind]}: ${source.text})`}`;
    })
    .join("; ");
}
