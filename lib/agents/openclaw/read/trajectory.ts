import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { MessageContent, NodeContent, PruningContent, ResetContent } from "../../entry-tree/nodes";
import { known, Trajectory } from "../../entry-tree/trajectory";
import type { OpenClawNodes } from "./nodes";

const NONE = -1;

/** The main chain of one of OpenClaw's sessions. Only OpenClaw records resets and results cleared by pruning. */
export class OpenClawTrajectory extends Trajectory<OpenClawNodes> {
  /** The result with each pruning name, and the calls whose results pruning has cleared. */
  readonly #byPruningKey: Int32Array;
  readonly #cleared = new Set<string>();
  /** The message with which the last run began. */
  #runStart = 0;

  constructor(builder: TranscriptBuilder, nodes: OpenClawNodes) {
    super(builder, nodes);
    this.#byPruningKey = new Int32Array(nodes.pruningKeys.length).fill(NONE);
  }

  protected override own(node: number, content: NodeContent): void {
    if (content.kind === "reset") this.#reset(node, content);
    else if (content.kind === "pruning") this.#pruning(node, content);
  }

  protected override message(node: number, content: MessageContent): number | undefined {
    const callId = this.nodes.answeredCall(node);
    const key = this.nodes.pruningKey.at(node);
    if (key !== NONE && callId !== undefined) this.#byPruningKey[key] = node;
    const message = super.message(node, content);
    if (message !== undefined && content.isReplayed === true && callId === undefined) this.#runStart = message;
    return message;
  }

  /** A reset removes earlier content, also in every simulation, because the user wanted it removed. */
  #reset(node: number, { firstKeptId }: ResetContent): void {
    const kept = this.liveFrom(this.positionOf(firstKeptId)).filter((one) => this.nodes.isReplayed(one));
    const calls = new Set(kept.flatMap((one) => this.nodes.callsOf(one)));
    this.live = kept.filter((one) => {
      const answered = this.nodes.answeredCall(one);
      return answered === undefined || calls.has(answered);
    });
    this.boundary(node, { kind: "rollback", kept: this.liveMessages(), clearedCalls: [] });
  }

  /** A mark is written when a run ends, and applies from the run's start on. It names all results cleared so far: only the new ones change. */
  #pruning(node: number, { cleared }: PruningContent): void {
    const results = cleared.flatMap((key) => known(this.#byPruningKey[this.nodes.pruningKeys.find(key)]) ?? []);
    const calls = results
      .flatMap((result) => this.nodes.answeredCall(result) ?? [])
      .filter((call) => !this.#cleared.has(call));
    if (calls.length === 0) return;
    for (const call of calls) this.#cleared.add(call);
    this.boundary(node, { kind: "clearing", kept: [], clearedCalls: calls }, this.#runStart);
  }
}
