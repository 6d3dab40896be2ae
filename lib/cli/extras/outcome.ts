import { agentName } from "@/lib/agents/agents";
import type { AdvisedBy } from "@/lib/core/advice/recommend";
import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import type { OutcomeAnswer } from "@/lib/queries/contract/schemas";
import { outcomeQuery } from "@/lib/server/insights/outcome";
import { type ListOptions, read, withList } from "../commands/list-server";
import { LIST_PRICES } from "../input/price-options";
import { type ExitCode, say } from "../process/exit";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { intervalText } from "../text/recommendation-text";

export interface OutcomeOptions extends ListOptions {
  readonly seed: number;
}

/** `outcome [DIR…]`: compares the recorded sessions before and after every setting that `recommend --apply` wrote, newest first. */
export async function outcome(dirs: readonly string[], options: OutcomeOptions): Promise<ExitCode> {
  const { where = [], search: q, tz, seed, json } = options;
  return withList(dirs, options, async (server) => {
    const answer: OutcomeAnswer = read(await server.listing.outcome(outcomeQuery.parse({ where, q, tz, seed })));
    const { changes, damagedLines, file } = answer;
    if (damagedLines.length > 0)
      say(`${countedText(damagedLines.length, "line")} of ${file} cannot be read: ${damagedLines.join(", ")}.`);
    if (json) await write(`${JSON.stringify(answer)}\n`);
    else if (changes.length === 0)
      say("no setting was applied; recommend --apply applies one and notes its prediction.");
    else await write(`${changes.map(text).join("\n\n")}\n`);
  });
}

type Change = OutcomeAnswer["changes"][number];

function text(change: Change): string {
  const { at, undoneAt, agent, path, settings, predicted, by, unmatched, across, unknown } = change;
  const set = settings.map(({ named, from, to }) => `${named} from ${from ?? "unset"} to ${to}`).join(", ");
  const undone = undoneAt === null ? "" : `, undone ${undoneAt}`;
  const of = `${countedText(predicted.sessions, "session")} of ${countedText(predicted.projects, "project")}`;
  const apart = [
    ...(unmatched > 0 ? [`${unmatched} of a project or model on one side only`] : []),
    ...(across > 0 ? [`${across} across the change`] : []),
    ...(unknown > 0 ? [`${unknown} without ${METRIC[by]}`] : []),
  ];
  return [
    `${agentName(agent)?.label ?? agent}, ${at}${undone}: ${set} in ${path}`,
    `  predicted: saves ${intervalText(predicted.saving)} of ${METRIC[by]}, from ${of}`,
    `  realised:  ${realised(change)}`,
    ...(apart.length === 0 ? [] : [`  left out:  ${apart.join(", ")}`]),
    ...(by === "cost" ? [`  ${LIST_PRICES}`] : []),
  ]
    .map(printable)
    .join("\n");
}

const METRIC: Readonly<Record<AdvisedBy, string>> = {
  cost: "the cost",
  tokens: "the tokens sent",
  neededAgain: "the re-fetched tokens",
};

/** The change per request between the matched sessions, or the number of sessions that are missing. */
function realised({ saving, before, after, needed, by }: Change): string {
  if (saving === null) {
    if (after.sessions < needed) return `not enough sessions yet (${after.sessions} of ${needed})`;
    if (before.sessions < needed) return `not enough sessions before the change (${before.sessions} of ${needed})`;
    return `n/a, ${METRIC[by]} was 0 before`;
  }
  const amount = (value: number | null) => (by === "cost" ? usdText(value ?? 0) : countText(Math.round(value ?? 0)));
  const side = ({ perRequest, sessions }: Change["before"]) =>
    `${amount(perRequest)} a request over ${countedText(sessions, "session")}`;
  return `saves ${intervalText(saving)} a request: ${side(before)} before, ${side(after)} since`;
}
