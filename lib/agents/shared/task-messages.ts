import { ORIGIN } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";

/**
 * First positions of the messages of a task as Cline and Roo Code count them: user and assistant messages alternate. Results, the programs' own texts
 * and the user's text between two responses are one message. Notes of the program itself do not count.
 */
export function taskMessages(view: ContextView): readonly number[] {
  const { items, columns } = view;
  const starts: number[] = [];
  let isResponse: boolean | undefined;
  for (let position = 0; position < items.length; position++) {
    const item = items.at(position);
    if (item >= columns.length && view.synthetic(item)?.kind === "note") continue;
    const isNow = columns.origin[item] === ORIGIN.response;
    if (isNow !== isResponse) starts.push(position);
    isResponse = isNow;
  }
  return starts;
}
