import { useMemo } from "react";
import { type Band, bandOfCategory } from "@/components/charts/bands";
import type { BoundaryItem, BoundaryParts, ItemState } from "@/lib/core/compaction/boundary-items";
import { recordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { boundaryParts } from "@/lib/queries/boundaries/boundary-details";
import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { useReplay, useSession } from "../../shared/state/stores";
import { useMeasures } from "../../shared/state/use-measures";

/** Fate of a block: the state of its item; `fixed` for overhead, which no compaction removes; `unattributed` for tokens of no item. */
type Fate = ItemState | "fixed" | "unattributed";

/** A stretch of a context, in tokens from its start. */
export interface FateBlock {
  readonly band: Band | undefined;
  readonly fate: Fate;
  readonly from: number;
  readonly tokens: number;
  /** Kept tokens. */
  readonly stays: number;
}

/** The same tokens before and after the compaction. */
export interface FateLink {
  readonly before: readonly [from: number, to: number];
  readonly after: readonly [from: number, to: number];
}

interface Fates {
  readonly before: readonly FateBlock[];
  readonly after: readonly FateBlock[];
  readonly links: readonly FateLink[];
}

interface FateInput {
  readonly overhead: BoundaryParts["overhead"];
  readonly items: readonly BoundaryItem[];
  readonly categoryOf: (item: BoundaryItem) => string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly addedAt: "front" | "back";
  /** Number of the newest items, which come after the items added at the back. */
  readonly entering: number;
}

/** Both contexts of a compaction as blocks in their order, each as long as its size. Tokens of no item are a block at the end. */
export function fatesOf(input: FateInput): Fates {
  const { overhead, items, categoryOf, addedAt, entering } = input;
  const there = inContext(items.filter(({ state }) => state !== "added" && state !== "entered"));
  const staying = there.filter(({ after }) => after > 0);
  const fixed = (side: "before" | "after") =>
    overhead.map((part) => block(categoryOfCode(part.category), "fixed", part[side], part[side]));
  const before = placed(
    [...fixed("before"), ...there.map((item) => block(categoryOf(item), item.state, item.before, staysOf(item)))],
    input.tokensBefore,
  );
  // An item without tokens before has nothing to link to.
  const after = (item: BoundaryItem) =>
    block(categoryOf(item), item.state, item.after, item.state === "added" || item.before > 0 ? item.after : 0);
  const news = items.filter(({ state }) => state === "added").map(after);
  const entered = items.filter(({ state }) => state === "entered").map(after);
  const stayed = staying.map(after);
  const behind = there.slice(there.length - entering).filter(({ after: tokens }) => tokens > 0).length;
  const place = addedAt === "front" ? 0 : stayed.length - behind;
  const blocks = placed([...fixed("after"), ...stayed.toSpliced(place, 0, ...news), ...entered], input.tokensAfter);
  return { before, after: blocks, links: linksOf(before, blocks) };
}

/** The tokens of an item before the compaction that are still there after it: all of a kept one, whatever count each context has. */
function staysOf({ state, before, after }: BoundaryItem): number {
  return state === "kept" && after > 0 ? before : after;
}

/** Sorts the items as in the context: items of earlier compactions come first there, but last in the list. */
function inContext(items: readonly BoundaryItem[]): readonly BoundaryItem[] {
  const isSynthetic = ({ synthetic }: BoundaryItem): boolean => synthetic !== undefined;
  return [...items.filter(isSynthetic), ...items.filter((item) => !isSynthetic(item))];
}

function block(category: string, fate: Fate, tokens: number, stays: number): Omit<FateBlock, "from"> {
  return { band: bandOfCategory(category), fate, tokens, stays };
}

/** @param total size of the context, 0 if unknown; if the estimates sum to more, blocks are scaled down to it */
function placed(blocks: readonly Omit<FateBlock, "from">[], total: number): readonly FateBlock[] {
  const sum = blocks.reduce((before, { tokens }) => before + tokens, 0);
  const scale = total > 0 && sum > total ? total / sum : 1;
  let from = 0;
  const found = blocks.map((one): FateBlock => {
    const start = from;
    const tokens = one.tokens * scale;
    from += tokens;
    return { ...one, tokens, stays: one.stays * scale, from: start };
  });
  if (sum >= total) return found;
  return [...found, { ...block("unattributed", "unattributed", total - from, 0), from }];
}

/** Fates of blocks that are in one of the two contexts alone. */
const ONE_SIDED: ReadonlySet<Fate> = new Set(["added", "entered", "unattributed"]);
const isKept = ({ fate, stays }: FateBlock): boolean => !ONE_SIDED.has(fate) && stays > 0;

/** Links each kept stretch of tokens before the compaction to the same stretch after it. Stretches that remain neighbours share one link. */
function linksOf(before: readonly FateBlock[], after: readonly FateBlock[]): readonly FateLink[] {
  const kept = after.filter(isKept);
  const links: FateLink[] = [];
  for (const [place, was] of before.filter(isKept).entries()) {
    const is = kept[place];
    if (is === undefined) break;
    const last = links.at(-1);
    const end = was.from + was.stays;
    if (last !== undefined && last.before[1] === was.from && last.after[1] === is.from) {
      links[links.length - 1] = { before: [last.before[0], end], after: [last.after[0], is.from + is.tokens] };
    } else links.push({ before: [was.from, end], after: [is.from, is.from + is.tokens] });
  }
  return links;
}

/** Blocks that are distinguishable at a scale: similar neighbours are merged, and no block has fewer tokens than `least`. */
export function drawnBlocks(blocks: readonly FateBlock[], least: number): readonly FateBlock[] {
  const drawn: FateBlock[] = [];
  for (const next of blocks) {
    const last = drawn.at(-1);
    if (last === undefined || !(looksAlike(last, next) || last.tokens < least)) drawn.push(next);
    else drawn[drawn.length - 1] = joined(last, next);
  }
  return drawn;
}

function looksAlike(one: FateBlock, other: FateBlock): boolean {
  return one.fate === other.fate && one.band === other.band && one.fate !== "truncated";
}

/** Merges two neighbours; the result looks like the larger one. */
function joined(last: FateBlock, next: FateBlock): FateBlock {
  const { band, fate } = next.tokens > last.tokens ? next : last;
  return { band, fate, from: last.from, tokens: last.tokens + next.tokens, stays: last.stays + next.stays };
}

/** The overhead and every item of the contexts around the compaction, computed from numbers alone. */
export function useBoundaryParts({ kind, ordinal }: Pick<BoundaryEntry, "kind" | "ordinal">): BoundaryParts {
  const ran = useBoundaryReplay(kind);
  return useMemo(() => boundaryParts(ran, ordinal), [ran, ordinal]);
}

/** The replay with the boundary, its recording and its choice. */
function useBoundaryReplay(kind: BoundaryEntry["kind"]) {
  const session = useSession((state) => state);
  const { recorded, recording } = session;
  const { simulated, choice } = useReplay("simulated", "choice");
  const measured = useMeasures(session, recording.columns, choice.policy);
  return useMemo(() => {
    const prepared = kind === "recorded" ? { ...choice, policy: recordedPolicy } : choice;
    const replay = kind === "recorded" ? recorded : simulated;
    return { prepared, replay, recording: { ...recording, columns: measured } };
  }, [kind, choice, recorded, simulated, measured, recording]);
}
