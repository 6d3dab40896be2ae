import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, isUnanswered, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, PolicyPlan } from "@/lib/core/compaction/policy/policy";
import { CURRENT_IMAGE_CHARS, CUT, DOCUMENTED_IMAGE_CHARS, isResponse, PAIRED } from "../base/constants";
import { type OpenClawPreset, openClawPreset } from "../base/presets";
import { MISSING_RESULT, MISSING_RESULT_OPENAI } from "../messages/message";
import { resultChars202621, resultChars202696 } from "./result-chars";
import { tokensOf } from "./sizes";

/**
 * Size changes of sent rows by the repair of a history, computed from the columns: a stand-in after a call without a result, and results that are not
 * sent. The stored session stays unchanged. Source: README.md, "Pairs"; openclaw@2026.2.1, @2026.5.7 and @2026.9.6, agents/session-transcript-repair.
 */

/** Tokens of the stand-in after a call; `UNSENT` for a result that is not sent; 0 for every other row. */
export type Pairing = Int32Array;
const UNSENT = -1;

const known = new WeakMap<Int32Array, { readonly pair: Int32Array; readonly of: Map<OpenClawPreset, Pairing> }>();

/** The pairing of a recording under a preset; absent if the columns hold no ids of calls. */
export function pairingOf(columns: SessionColumns, presetName: string): Pairing | undefined {
  const kinds = columns.measures["openclaw.paired"];
  const ids = columns.measures["openclaw.callId"];
  if (kinds === undefined || ids === undefined) return undefined;
  const last = known.get(ids);
  const of = last?.pair === columns.pair ? last.of : new Map<OpenClawPreset, Pairing>();
  if (last?.of !== of) known.set(ids, { pair: columns.pair, of });
  const preset = openClawPreset(presetName);
  const found = of.get(preset) ?? new Repair(columns, kinds, ids, preset).run();
  of.set(preset, found);
  return found;
}

/** True if an item is a result that is not sent. */
export function isUnsent(pairing: Pairing | undefined, item: ItemIndex): boolean {
  return pairing?.[item] === UNSENT;
}

/** Size of an item as it is sent. */
export function pairedTokens(
  { columns, preset }: Pick<PolicyPlan, "columns" | "preset">,
  item: ItemIndex,
  tokens: Tokens,
) {
  const change = pairingOf(columns, preset)?.[item] ?? 0;
  return change === UNSENT ? 0 : tokens + change;
}

/** The parts of a context from which messages are made. */
export type ItemsView = Pick<ContextView, "columns" | "items" | "tokensOf" | "countOf" | "synthetic">;

/** The context with its items in the sizes of the stored session, which compactions use: the repair changes only sent messages. */
export function heldView(view: ContextView, presetName: string): ItemsView {
  const { columns } = view;
  const pairing = pairingOf(columns, presetName);
  if (pairing === undefined || !pairing.some((change) => change !== 0)) return view;
  const isCurrent = openClawPreset(presetName) === "current";
  const { recorded, uncut } = isCurrent ? resultChars202696 : resultChars202621;
  const imageChars = isCurrent ? CURRENT_IMAGE_CHARS : DOCUMENTED_IMAGE_CHARS;
  const held = (item: ItemIndex, sent: Tokens) => {
    const change = pairing[item] ?? 0;
    if (change !== UNSENT) return sent - change;
    const isImage = columns.kind[item] === KIND.image;
    return tokensOf(isImage ? imageChars : recorded(columns, item) + uncut(columns, item));
  };
  return {
    columns,
    items: view.items,
    tokensOf: (item) => held(item, view.tokensOf(item)),
    countOf: (item) => held(item, view.countOf(item)),
    synthetic: (item) => view.synthetic(item),
  };
}

/** A call that waits for its result. */
interface OpenCall {
  readonly row: ItemIndex;
  readonly id: number;
  result: { readonly rows: readonly ItemIndex[]; readonly isStandIn: boolean } | undefined;
}

/** A response with calls, up to the next one. */
interface Frame {
  readonly calls: readonly OpenCall[];
  readonly isFailed: boolean;
  readonly standIn: Tokens;
}

/** The row of a message and those that continue it. */
interface Unit {
  readonly cut: number;
  readonly rows: readonly ItemIndex[];
}

class Repair {
  readonly #out: Int32Array;
  /** Ids that have a result. Before 2026.9.6 a second result with such an id is never sent. */
  readonly #answered = new Set<number>();
  readonly #frames: Frame[] = [];
  /** The calls of all frames by their id. */
  readonly #calls = new Map<number, readonly OpenCall[]>();
  /** True if requests are repaired: 2026.2.1 does that for Anthropic and Google alone. The first call of the recording decides. */
  #repairs: boolean | undefined;
  readonly #isFirst: boolean;
  readonly #isCurrent: boolean;

  constructor(
    private readonly columns: SessionColumns,
    private readonly kinds: ArrayLike<number>,
    private readonly ids: ArrayLike<number>,
    preset: OpenClawPreset,
  ) {
    this.#out = new Int32Array(columns.length);
    this.#isCurrent = preset === "current";
    this.#isFirst = preset === "as-documented" || preset === "release-2026-02";
  }

  run(): Pairing {
    let frame: Frame | undefined;
    for (const unit of this.#units()) {
      if (isResponse(unit.cut)) {
        const next = this.#frameOf(unit);
        // In 2026.9.6 a response without calls ends no frame.
        if (this.#isCurrent && next.calls.length === 0) continue;
        if (!this.#isCurrent && frame !== undefined) this.#close(frame);
        frame = next;
        this.#frames.push(next);
        for (const call of next.calls) this.#calls.set(call.id, [...(this.#calls.get(call.id) ?? []), call]);
      } else if (unit.cut === CUT.RESULT && this.#isOwn(unit)) this.#result(unit.rows, frame);
    }
    if (this.#isCurrent) for (const one of this.#frames) this.#close(one);
    else if (frame !== undefined) this.#close(frame);
    return this.#out;
  }

  *#units(): Generator<Unit> {
    const { columns } = this;
    const cuts = columns.measures["openclaw.cut"];
    let unit: { cut: number; rows: ItemIndex[] } | undefined;
    for (let row = columns.overheadRows; row < columns.length; row++) {
      if (((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0) continue;
      const cut = cuts?.[row] ?? CUT.INSIDE;
      if (cut === CUT.INSIDE && unit !== undefined) unit.rows.push(row);
      else {
        if (unit !== undefined) yield unit;
        unit = { cut, rows: [row] };
      }
    }
    if (unit !== undefined) yield unit;
  }

  #frameOf({ cut, rows }: Unit): Frame {
    const { columns } = this;
    const called = rows.filter((row) => columns.kind[row] === KIND.tool_call && (this.kinds[row] ?? 0) > 0);
    const kind = this.kinds[called[0] ?? -1] ?? 0;
    if (kind > 0) this.#repairs ??= !this.#isFirst || kind === PAIRED.ALWAYS || kind === PAIRED.FOREIGN;
    const text = kind === PAIRED.OPENAI ? MISSING_RESULT_OPENAI : MISSING_RESULT;
    // Other agents' responses may be in several parts, so there any result answers its call, wherever it is.
    const isOpen = (row: ItemIndex) => kind !== PAIRED.FOREIGN || isUnanswered(columns, row);
    const calls = called.map((row): OpenCall => {
      return { row, id: this.ids[row] ?? 0, result: isOpen(row) ? undefined : { rows: [], isStandIn: false } };
    });
    const isFailed = cut === CUT.FAILED && !this.#isFirst;
    return { calls: this.#repairs === false ? [] : calls, isFailed, standIn: tokensOf(text.length) };
  }

  #isOwn({ rows }: Unit): boolean {
    return this.#repairs !== false && (this.kinds[rows[0] ?? -1] ?? 0) > 0;
  }

  #result(rows: readonly ItemIndex[], frame: Frame | undefined): void {
    const [first = -1] = rows;
    const result = { rows, isStandIn: this.kinds[first] === PAIRED.STAND_IN };
    const call = this.#isCurrent
      ? this.#currentCall(this.ids[first] ?? 0, result.isStandIn, frame)
      : this.#documentedCall(this.ids[first] ?? 0, frame);
    if (call === undefined) this.#leaveOut(rows);
    else {
      this.#leaveOut(call.result?.rows ?? []);
      call.result = result;
    }
  }

  /** The first result with the id of a call before the next response, unless an earlier call had that id. */
  #documentedCall(id: number, frame: Frame | undefined): OpenCall | undefined {
    const call = frame?.calls.find((one) => one.id === id);
    return this.#answered.has(id) || call?.result !== undefined ? undefined : call;
  }

  /** A call with the id in the same frame, else the only open one; a real result replaces a stand-in. */
  #currentCall(id: number, isStandIn: boolean, frame: Frame | undefined): OpenCall | undefined {
    const isOpen = ({ result }: OpenCall) => result === undefined || (result.isStandIn && !isStandIn);
    const calls = frame?.calls ?? [];
    if (id === 0) return calls.length === 1 ? calls.find(isOpen) : undefined;
    const own = calls.filter((call) => call.id === id);
    if (own.length > 0) return own.find(({ result }) => result === undefined) ?? own.find(isOpen);
    const open = (this.#calls.get(id) ?? []).filter(isOpen);
    return open.length === 1 ? open[0] : undefined;
  }

  #leaveOut(rows: readonly ItemIndex[]): void {
    for (const row of rows) this.#out[row] = UNSENT;
  }

  #close({ calls, isFailed, standIn }: Frame): void {
    for (const { row, id, result } of calls) {
      if (result === undefined && !isFailed && (this.#isCurrent || !this.#answered.has(id))) this.#out[row] = standIn;
      this.#answered.add(id);
    }
  }
}
