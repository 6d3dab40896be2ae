import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import {
  type Change,
  chainOf,
  type Event,
  mainChain,
  type Node,
  type Overhead,
  type Point,
  type Thread,
} from "./thread";

/** Writes the main conversation of a log: its overhead, messages, request points and changes of history. */
export function writeTrajectory(builder: TranscriptBuilder, threads: readonly Thread[]): void {
  const chain = mainChain(threads);
  const writer = new Writer(builder);
  for (const entry of mostSent(chain)?.entries ?? []) builder.overhead(entry);
  for (const thread of chain) writer.thread(thread);
  const session = chain.find((thread) => thread.session !== undefined)?.session;
  const title = chain.find((thread) => thread.title !== undefined)?.title;
  builder.facts({ sessionId: session, title });
  builder.sidechains(
    threads.filter(({ before }) => before === undefined).map(chainOf).length - (chain.length > 0 ? 1 : 0),
  );
  const own = session ?? threads.find((thread) => thread.session !== undefined)?.session;
  for (const thread of threads) {
    if (thread.session === undefined || thread.session === own) continue;
    builder.problem("several-sessions", thread.events.find(isPoint)?.point.line, thread.session, thread.points);
  }
}

function isPoint(event: Event): event is Extract<Event, { readonly type: "point" }> {
  return event.type === "point";
}

/** The overhead that most requests carried; of equals the latest. It may change within a session: a date, another server's tools. */
function mostSent(chain: readonly Thread[]): Overhead | undefined {
  const sent = new Map<Overhead, number>();
  for (const [overhead, requests] of chain.flatMap(({ overheads }) => [...overheads])) {
    sent.set(overhead, (sent.get(overhead) ?? 0) + requests);
  }
  const most = Math.max(...sent.values());
  return [...sent].findLast(([, requests]) => requests === most)?.[0];
}

class Writer {
  readonly #builder: TranscriptBuilder;
  readonly #indices = new Map<Node, number>();

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  thread(thread: Thread): void {
    if (thread.before !== undefined) this.#change(replacement(thread));
    for (const event of thread.events) {
      if (event.type === "message") this.#message(event.node);
      else if (event.type === "point") this.#point(event.point);
      else this.#change(event.change);
    }
  }

  #message(node: Node): void {
    const { message, origin, recordedOnly } = node;
    this.#indices.set(node, this.#builder.messageCount);
    this.#builder.message({ ...message, origin, ...(recordedOnly ? { recordedOnly } : {}) });
  }

  #point({ line, at, model, usage }: Point): void {
    if (model !== undefined) this.#builder.model(model);
    this.#builder.request({
      message: this.#builder.messageCount,
      line,
      ...(at === undefined ? {} : { at }),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
  }

  #change({ kind, line, at, kept, cleared, summaryLine }: Change): void {
    this.#builder.boundary({
      kind,
      line,
      ...(at === undefined ? {} : { at }),
      trigger: "unknown",
      ...(summaryLine === undefined ? {} : { summaryLine }),
      message: this.#builder.messageCount,
      kept: kept.flatMap((node) => this.#indices.get(node) ?? []),
      clearedCalls: cleared,
    });
  }
}

/** The boundary where a thread continues another: nothing of the other was sent any more. */
function replacement({ events }: Thread): Change {
  const first = events.find((event) => event.type === "message");
  const node = first?.node;
  const line = node?.message.line ?? 1;
  const summaryLine = node?.origin === "summary" ? line : undefined;
  return { kind: "compaction", line, at: node?.message.at, kept: [], cleared: [], summaryLine };
}
