import type { Block, Boundary, Message, OverheadEntry, RequestPoint } from "@/lib/core/transcript/model";
import type { Item } from "./align";
import type { StatedChange } from "./draft";

/** A message of a thread. Only a later request may show that it holds a summary, or asked for one. */
export interface Node extends Item {
  readonly message: Pick<Message, "role" | "line"> & {
    readonly at?: number | undefined;
    readonly blocks: readonly Block[];
  };
  origin: Message["origin"];
  recordedOnly: boolean;
}

/** A request point whose first message comes next. Its response may come on a later line. */
export interface Point {
  readonly line: number;
  at: number | undefined;
  model: string | undefined;
  usage: RequestPoint["usage"];
  readonly inherited: boolean;
  readonly partialOutput: boolean;
}

/** A change of history between two requests. */
export interface Change {
  readonly kind: Boundary["kind"];
  readonly line: number;
  readonly at: number | undefined;
  readonly kept: readonly Node[];
  readonly cleared: readonly string[];
  summaryLine: number | undefined;
  /** Facts that the record states of it. */
  readonly stated?: StatedChange | undefined;
}

export type Event =
  | { readonly type: "message"; readonly node: Node }
  | { readonly type: "point"; readonly point: Point }
  | { readonly type: "change"; readonly change: Change };

/** Content of requests before their messages; each is measured once. */
export interface Overhead {
  readonly entries: readonly OverheadEntry[];
  readonly prompt: string;
  readonly tools: string;
  readonly key: string;
}

/** One conversation of the log: messages that each of its requests repeated and continued. */
export interface Thread {
  /** Number of its first request in the log. */
  readonly first: number;
  /** Number of its latest request. */
  last: number;
  readonly events: Event[];
  /** Messages of the last request, and its answer. */
  live: Node[];
  /** Index in `live` of the answer to the last request; −1 if there is none. */
  response: number;
  /** Text of that answer. */
  answer: string | undefined;
  /** New messages of the last request, and its answer: these may turn out to be a call for a summary. */
  latest: Node[];
  longest: number;
  points: number;
  /** Overheads, with the number of requests that carried each. */
  readonly overheads: Map<Overhead, number>;
  session: string | undefined;
  /** Ids of its responses; an empty one for responses without an id. */
  readonly responses: Set<string>;
  title: string | undefined;
  /** Key of the next message with a summary. */
  summary: string | undefined;
  /** The thread that this one seems to continue after its history was replaced, and the thread that continues this one. */
  before: Thread | undefined;
  after: Thread | undefined;
  /** True if a record states the change of history between the thread before and this one. */
  isStated: boolean;
  /** True if the last request said that its history was compacted. */
  compacted: boolean;
  /** True while every record lacks its input. */
  isWithoutContent: boolean;
}

export function newThread(first: number): Thread {
  return {
    first,
    last: first,
    events: [],
    live: [],
    response: -1,
    answer: undefined,
    latest: [],
    longest: 0,
    points: 0,
    overheads: new Map(),
    session: undefined,
    responses: new Set(),
    title: undefined,
    summary: undefined,
    before: undefined,
    after: undefined,
    isStated: false,
    compacted: false,
    isWithoutContent: false,
  };
}

/** All threads that continue one another, first to last. */
export function chainOf(thread: Thread): readonly Thread[] {
  const chain: Thread[] = [];
  for (let one: Thread | undefined = thread; one !== undefined; one = one.after) chain.push(one);
  return chain;
}

/**
 * The main chain of a log. Side calls (titles, subagents) fall within the time of the conversation that makes them. So of the chains with at least a
 * quarter of the longest one's messages, the main chain is the one that spans the most requests of the log.
 */
export function mainChain(threads: readonly Thread[]): readonly Thread[] {
  const chains = threads.filter(({ before }) => before === undefined).map(chainOf);
  const longest = Math.max(0, ...chains.map(longestOf));
  const candidates = chains.filter((chain) => longestOf(chain) * 4 >= longest);
  return candidates.reduce<readonly Thread[]>((best, chain) => (spanOf(chain) > spanOf(best) ? chain : best), []);
}

function longestOf(chain: readonly Thread[]): number {
  return Math.max(0, ...chain.map(({ longest }) => longest));
}

function spanOf(chain: readonly Thread[]): number {
  const [first, last] = [chain[0], chain.at(-1)];
  return first === undefined || last === undefined ? 0 : last.last - first.first + 1;
}
