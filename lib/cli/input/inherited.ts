import { inOrder } from "@/lib/server/base/in-order";
import type { CountedElsewhere } from "@/lib/server/list/relations/counted-once";
import type { RelatedInput } from "@/lib/server/list/relations/related-input";
import { relate } from "@/lib/server/list/relations/relations";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import type { ReadingOptions } from "./session-file";
import { withInputFile } from "./standard-input";

/** Number of leading requests of each file that another file counts, as in the session list. */
export async function inheritedIn(
  paths: readonly string[],
  { format, session }: ReadingOptions,
  runner: Pick<TaskRunner, "run">,
): Promise<ReadonlyMap<string, number>> {
  if (paths.length < 2) return new Map();
  const read = (path: string) =>
    withInputFile(path, async (input) => {
      const { summary, requestKeys } = await runner.run("ingest", { ...input, format, session, summaryOnly: true });
      return { id: path, summary, placed: {}, keys: requestKeys };
    });
  const inputs: RelatedInput[] = [];
  // Unreadable files are named when they are replayed.
  for await (const input of inOrder([...new Set(paths)].filter(isReread), read))
    if (!(input instanceof Error)) inputs.push(input);
  return new Map(Array.from(relate(inputs), ([path, { elsewhere }]) => [path, leading(elsewhere)]));
}

/** Standard input can be read only once. */
function isReread(path: string): boolean {
  return path !== "-";
}

function leading(elsewhere: readonly CountedElsewhere[]): number {
  const end = elsewhere.findIndex(({ row }, at) => row !== at);
  return end < 0 ? elsewhere.length : end;
}
