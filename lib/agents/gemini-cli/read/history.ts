import type { LineNumber } from "@/lib/core/base/units";
import type { Change, CopyKind, Node, Step } from "./nodes";

/**
 * The list of messages as the file builds it: a line adds a message or replaces the one with its id, a rewind drops the end, an update may replace
 * the whole list. Dropped messages stay in the trajectory; a change records that they were dropped from the context.
 */
export class History {
  /** Every message that ever existed, by index. */
  readonly nodes: Node[] = [];
  readonly steps: Step[] = [];
  /** Indices of the messages in the list, by id, in the list's order. */
  #live = new Map<string, number>();
  /** Keys of all messages so far: by id, and by time and content, since a list may give a message a new id. */
  readonly #added = new Set<string>();

  message(node: Node): void {
    const place = this.#live.get(node.id);
    if (place !== undefined) this.nodes[place] = node;
    else this.#add(node, undefined);
  }

  /** Drops a message and everything after it, or everything if the id is unknown. Returns true if it was known. */
  rewind(to: string, line: LineNumber): boolean {
    const ids = [...this.#live.keys()];
    const from = ids.indexOf(to);
    const kept = new Map([...this.#live].slice(0, Math.max(0, from)));
    if (kept.size < this.#live.size) this.#change("rollback", line, kept, []);
    return from >= 0;
  }

  /** Replaces the list. */
  replace(nodes: readonly Node[], line: LineNumber): void {
    const before = this.#live;
    const matched = this.#matches(nodes);
    const kept = new Map(nodes.flatMap((node, index) => placed(node.id, matched[index])));
    const dropsAny = [...before.values()].some((place) => !matched.includes(place));
    const compaction = isSnapshot(nodes);
    const cleared = nodes.flatMap((node, index) => newlyMasked(node, this.nodes[matched[index] ?? -1]));
    if (compaction || dropsAny) this.#change(compaction ? "compaction" : "rollback", line, kept, []);
    else if (cleared.length > 0) this.#change("clearing", line, kept, cleared);
    this.#live = new Map();
    nodes.forEach((node, index) => {
      const place = matched[index];
      if (place !== undefined) this.#keep(node, place, compaction);
      else if (compaction) this.#add(asCopy(node), "compression");
      else this.#add(node, undefined);
    });
  }

  /** Keeps a message. Content replaced by a preview or a cut output is not lost: the change says that it was cleared. */
  #keep(node: Node, place: number, compaction: boolean): void {
    this.#live.set(node.id, place);
    const before = this.nodes[place];
    const changed = before === undefined || sizesOf(node) !== sizesOf(before);
    if (!compaction && changed && newlyMasked(node, before).length === 0) this.nodes[place] = node;
  }

  #add(node: Node, copy: CopyKind | undefined): void {
    const { type, id, at, fingerprint, usage } = node;
    const content = [at, fingerprint, usage?.input, usage?.output].join(" ");
    const keys = [`${type} ${id}`, ...(at === undefined ? [] : [content])];
    const isRestored = copy === undefined && keys.some((key) => this.#added.has(key));
    for (const key of keys) this.#added.add(key);
    const place = this.nodes.push(node) - 1;
    this.#live.set(node.id, place);
    this.steps.push({ kind: "message", place, copy: isRestored ? "restored" : copy });
  }

  #change(
    kind: Change["kind"],
    line: LineNumber,
    kept: ReadonlyMap<string, number>,
    clearedCalls: readonly string[],
  ): void {
    this.steps.push({ kind: "change", change: { kind, line, clearedCalls, kept: [...kept.values()] } });
    this.#live = new Map(kept);
  }

  /** For every message of a new list, the index of the message that it continues: the one with its id, otherwise the newest with the same content. */
  #matches(nodes: readonly Node[]): readonly (number | undefined)[] {
    const taken = new Set<number>();
    const byId = nodes.map((node) => this.#live.get(node.id));
    for (const place of byId) if (place !== undefined) taken.add(place);
    const byContent = new Map<number, number[]>();
    for (const place of this.#live.values()) {
      const key = this.nodes[place]?.fingerprint ?? Number.NaN;
      if (!taken.has(place)) byContent.set(key, [...(byContent.get(key) ?? []), place]);
    }
    const found = [...byId];
    for (let index = nodes.length - 1; index >= 0; index--) {
      found[index] ??= byContent.get(nodes[index]?.fingerprint ?? Number.NaN)?.pop();
    }
    return found;
  }
}

function placed(id: string, place: number | undefined): readonly (readonly [string, number])[] {
  return place === undefined ? [] : [[id, place]];
}

/** Sizes of a message; two lines of one message with equal sizes count as equal. */
function sizesOf(node: Node): string {
  return node.contents.map(({ blocks }) => blocks.map(({ text }) => text.chars).join()).join(";");
}

/** True if a list begins with a summary. Source: README.md, "Formats". */
function isSnapshot(nodes: readonly Node[]): boolean {
  return nodes.find((node) => node.type === "user")?.isSnapshot === true;
}

/** Calls of a message whose results are now previews. They are matched by id, or by index if both versions have the same number of results. */
function newlyMasked({ results }: Node, before: Node | undefined): readonly string[] {
  if (before === undefined) return [];
  const inOrder = results.length === before.results.length;
  return results.flatMap(({ callId, isPreview }, index) => {
    const earlier =
      before.results.find((one) => one.callId === callId) ?? (inOrder ? before.results[index] : undefined);
    return isPreview && earlier?.isPreview !== true ? [earlier?.callId ?? callId] : [];
  });
}

/** Marks the messages that a compression put at the front of the list: the summary, and the acknowledgement after it. */
function asCopy(node: Node): Node {
  const contents = node.contents.map((content) => ({
    ...content,
    origin: node.isSnapshot ? ("summary" as const) : ("context" as const),
  }));
  return { ...node, contents, usage: undefined, title: undefined };
}
