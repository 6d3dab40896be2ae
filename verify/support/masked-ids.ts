import { textHash } from "@/lib/core/base/texts";
import type { RequestPoint, Transcript } from "@/lib/core/transcript/model";
import { randomNumbers } from "./random";

const MASK = "REDACTED";

/**
 * For tests: the text of a file whose ids are hidden as publishers' tools hide them. An id is a value under a key that ends in `id`, `uuid` or
 * `call`, or in a list under `…ids`, also within JSON that is itself a text of the file.
 * @param hides true if an id is hidden; called at every occurrence
 */
export function withMaskedIds(file: string, hides: (id: string) => boolean): string {
  const shown = (id: string) => (hides(id) ? MASK : id);
  return file
    .replace(ONE_ID, (_, before: string, id: string) => before + shown(id))
    .replace(ID_LIST, (_, before: string, list: string) => before + list.replace(LISTED_ID, shown));
}

const ONE_ID = /((?:id|call)\\*"\s*:\s*\\*")([^"\\\n]+)(?=\\*")/gi;
const ID_LIST = /(ids\\*"\s*:\s*\[\s*\\*")([^\]]*)/gi;
const LISTED_ID = /[^"\\,\s]+/g;

/** Hidden ids of a file. */
export interface Masking {
  readonly id: (id: string) => boolean;
  readonly isOfAll?: boolean;
  /** True if it hides only ids of calls and results: the messages and their order are then kept. */
  readonly isOfCalls?: boolean;
}

/**
 * Maskings of a file: one hides all ids; then, for every seed, some hide a part of all ids or of the calls' ids, either everywhere or in some
 * places only.
 */
export function maskings({ list }: Transcript, seeds: number): readonly Masking[] {
  const callIds = new Set(list.blocks.callIds);
  const seeded = Array.from({ length: seeds }, (_, seed): readonly Masking[] => {
    const some = (id: string) => randomNumbers(textHash(id) + seed)(2) === 0;
    const random = randomNumbers(seed);
    const hereAndThere = (id: string) => callIds.has(id) && random(2) === 0;
    return [
      { id: some },
      { id: (id) => callIds.has(id) && some(id), isOfCalls: true },
      { id: hereAndThere, isOfCalls: true },
    ];
  });
  return [{ id: () => true, isOfAll: true }, ...seeded.flat()];
}

/** Ids and links of a transcript that consist only of a mask. */
export function maskedIdsIn({ list, sessionId, links, boundaries }: Transcript): readonly (string | undefined)[] {
  const named = [
    ...[sessionId, links.agentId],
    ...links.parents.map(({ session }) => session),
    ...links.subagents.flatMap(({ agentId, callId }) => [agentId, callId]),
    ...list.blocks.callIds,
    ...boundaries.flatMap(({ clearedCalls }) => clearedCalls),
  ];
  return named.filter((id) => id === MASK);
}

/** Links between calls and results that come from no id of the file, and that are missing in the unmasked file. */
export function inventedLinks(masked: Transcript, whole: Transcript): readonly string[] {
  const [links, callIds] = [linksIn(whole), new Set(whole.list.blocks.callIds)];
  return [...linksIn(masked)].filter(([link, id]) => !links.has(link) && !callIds.has(id)).map(([link]) => link);
}

/** Every link from a call to its result, by the places of both in the file, with the id that makes it. */
function linksIn({ list }: Transcript): ReadonlyMap<string, string> {
  const calls = new Map<number, string>();
  const links = new Map<string, string>();
  for (let row = 0; row < list.blocks.length; row++) {
    const id = list.blocks.callId[row] ?? -1;
    if (id < 0) continue;
    const { kind, source } = list.blocks.block(row);
    const place = `line ${source.line} part ${source.part}`;
    if (kind === "tool_call" && !calls.has(id)) calls.set(id, place);
    const call = kind === "tool_result" ? calls.get(id) : undefined;
    if (call !== undefined) links.set(`${call} > ${place}`, list.blocks.callIds[id] ?? "");
  }
  return links;
}

/** Contents that occur less often than in the file before masking. */
export function lostFrom(masked: Transcript, whole: Transcript): readonly string[] {
  const counts = contentCounts(masked);
  return [...contentCounts(whole)].filter(([what, times]) => (counts.get(what) ?? 0) < times).map(([what]) => what);
}

/** Number of occurrences of each content, regardless of links. Ids within a text are ignored. */
function contentCounts({ messages }: Transcript): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { role, origin, blocks } of messages) {
    for (const { kind, text } of blocks) {
      const what = withMaskedIds(`${role} ${origin} ${kind} ${text.value}`, () => true);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return counts;
}

export function usagesOf({ requests }: Transcript): readonly RequestPoint["usage"][] {
  return requests.map(({ usage }) => usage);
}
