import { type JsonObject, textOf } from "@/lib/agents/shared/json";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { RequestPoint } from "@/lib/core/transcript/model";
import type { ClearedCall, CompactionRequest, Node } from "./nodes";

const NONE = -1;

/** Writes the messages in order, with compactions, cleared outputs and rollbacks. */
export function writeTrajectory(
  builder: TranscriptBuilder,
  nodes: readonly Node[],
  revert: JsonObject | undefined,
): void {
  const writer = new Writer(builder, nodes);
  for (const node of nodes) writer.node(node);
  writer.end(revert);
}

class Writer {
  readonly #builder: TranscriptBuilder;
  /** Cleared calls that are not written yet, oldest first. */
  #clearings: readonly ClearedCall[];
  /** Messages in the context, each with its node. */
  #live: { readonly message: number; readonly node: Node }[] = [];
  /** For each compaction the answer that completed it. */
  readonly #answers: ReadonlyMap<Node, Node>;
  /** The compaction whose summary has not come yet. */
  #pending: { readonly node: Node; readonly request: CompactionRequest } | undefined;
  #line = 1;

  constructor(builder: TranscriptBuilder, nodes: readonly Node[]) {
    this.#builder = builder;
    this.#clearings = nodes.flatMap((node) => node.cleared).sort((a, b) => a.at - b.at);
    this.#answers = answersOf(nodes);
  }

  node(node: Node): void {
    this.#line = node.line;
    if (node.at !== undefined) this.#clear(node.at, node.line);
    const asked = this.#pending;
    const put = node.compaction !== undefined || node.isSummary;
    if (node.role === "assistant" && !node.isSummaryCall) this.#request(node);
    for (const { role, origin, blocks } of node.messages) {
      if (blocks.length === 0) continue;
      const at = node.at === undefined ? {} : { at: node.at };
      const message = this.#builder.message({ role, origin, line: node.line, ...at, blocks, recordedOnly: put });
      this.#live.push({ message, node });
    }
    if (node.compaction !== undefined) this.#compaction(node, node.compaction);
    const completes = asked !== undefined && this.#answers.get(asked.node) === node;
    if (completes) this.#completed(asked, node);
    if (node.isSummaryCall) this.#summaryCall(node, completes ? this.#builder.boundaryCount - 1 : NONE);
  }

  end(revert: JsonObject | undefined): void {
    this.#clear(Number.POSITIVE_INFINITY, this.#line);
    const [from, part] = [textOf(revert?.messageID), textOf(revert?.partID)];
    const first = this.#live.findIndex(({ node }) => node.id === from);
    if (from === "" || first < 0) return;
    // If a part is named, only later parts are hidden, so the message itself is kept.
    const kept = this.#live.filter(({ node }, index) => index < first || (part !== "" && node.id === from));
    this.#builder.boundary({
      kind: "rollback",
      line: this.#line,
      trigger: "manual",
      kept: kept.map(({ message }) => message),
    });
  }

  /** Every response is a request point. A failed or aborted one writes zeros, which mean that nothing was recorded. */
  #request(node: Node): void {
    this.#builder.request({ ...this.#point(node) });
  }

  /** The call for a summary fills no context: it is sent separately from the session. */
  #summaryCall(node: Node, boundary: number): void {
    const point = this.#point(node);
    if (point.usage !== undefined) this.#builder.extraRequest({ kind: "compaction", boundary, ...point });
  }

  #point(node: Node): Omit<RequestPoint, "message"> {
    const { usage } = node;
    if (node.model !== undefined) this.#builder.model(node.model);
    const sent = usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
    if (usage !== undefined && sent === 0) this.#builder.problem("pseudo-usage", node.line);
    return {
      line: node.line,
      at: node.at,
      model: node.model,
      ...(usage === undefined || sent === 0 ? {} : { usage }),
      terms: node.terms,
      ...(node.isCopied ? { inherited: true } : {}),
    };
  }

  /** Adds a compaction. Without an answer it changed nothing, so everything is kept; otherwise it waits for its summary. */
  #compaction(node: Node, request: CompactionRequest): void {
    if (this.#answers.has(node)) this.#pending = { node, request };
    else
      this.#boundary(
        node,
        request,
        this.#live.map(({ message }) => message),
      );
  }

  #completed({ node, request }: { node: Node; request: CompactionRequest }, summary: Node): void {
    this.#pending = undefined;
    const own = this.#live.filter((one) => one.node === node || one.node === summary);
    const earlier = this.#live.filter((one) => !own.includes(one));
    const start = earlier.findIndex((one) => one.node.id === request.tail);
    // If the tail's first message is missing, the program finds no end and sends everything.
    const tail = request.tail === undefined ? [] : earlier.slice(Math.max(0, start));
    this.#live = [...tail, ...own];
    this.#boundary(
      summary,
      request,
      this.#live.map(({ message }) => message),
    );
  }

  #boundary(node: Node, request: CompactionRequest, kept: readonly number[]): void {
    this.#builder.boundary({
      kind: "compaction",
      line: node.line,
      at: node.at,
      trigger: request.trigger,
      ...(node.isSummary ? { summaryLine: node.line } : {}),
      kept,
    });
  }

  /** Writes the outputs that were cleared before a time. */
  #clear(before: number, line: number): void {
    const due = this.#clearings.findIndex(({ at }) => at >= before);
    const cleared = this.#clearings.slice(0, due < 0 ? undefined : due);
    if (cleared.length === 0) return;
    this.#clearings = this.#clearings.slice(cleared.length);
    this.#builder.boundary({
      kind: "clearing",
      line,
      at: cleared[0]?.at ?? 0,
      trigger: "auto",
      clearedCalls: cleared.map(({ call }) => call),
    });
  }
}

/** The summary that answers each compaction: its child message, or the next one if a publisher masked either id. */
function answersOf(nodes: readonly Node[]): ReadonlyMap<Node, Node> {
  const answers = new Map<Node, Node>();
  const byId = new Map<string, Node>();
  let newest: Node | undefined;
  for (const node of nodes) {
    if (node.compaction !== undefined) {
      newest = node;
      if (node.id !== "") byId.set(node.id, node);
    }
    if (!node.isSummary) continue;
    const isMasked = node.parent === undefined || newest?.id === "";
    const asked = byId.get(node.parent ?? "") ?? (isMasked ? newest : undefined);
    if (asked !== undefined && !answers.has(asked)) answers.set(asked, node);
  }
  return answers;
}
