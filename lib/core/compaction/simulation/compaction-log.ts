import type { ItemIndex, Milliseconds, RequestIndex, Tokens } from "../../base/units";
import type { Compaction, Outcome, PolicyMetrics, Retention, SimulatedTrigger, SyntheticItem } from "../policy/policy";
import { ChangedSizes } from "./changed-sizes";
import { countOf } from "./positions";
import { comparableBefore, type SimulatedCompaction } from "./simulated-compaction";
import type { SimulatedContext } from "./simulated-context";

/** Properties that few compactions have. Compactions that only clear share one object. */
interface Rare extends Pick<Retention, "added" | "addedAt" | "summaryTokens" | "summaryCallTokens"> {
  readonly entering: number;
  readonly transient: boolean;
  readonly figures: PolicyMetrics | undefined;
  readonly limits: Retention["limits"] | undefined;
  readonly unsent: Retention["unsent"] | undefined;
  readonly counted: Tokens | undefined;
}

const NOTHING: readonly never[] = [];

const NOTHING_RARE = {
  added: NOTHING,
  entering: 0,
  summaryTokens: 0,
  summaryCallTokens: 0,
  transient: false,
  figures: undefined,
  limits: undefined,
  unsent: undefined,
  counted: undefined,
};
const RARE_BY_PLACE: Readonly<Record<Retention["addedAt"], Rare>> = {
  front: { ...NOTHING_RARE, addedAt: "front" },
  back: { ...NOTHING_RARE, addedAt: "back" },
};

function rareOf(retention: Retention, counted: Tokens | undefined): Rare {
  const { added, addedAt, entering = 0, transient = false, summaryTokens, summaryCallTokens } = retention;
  const { figures: metrics, limits, unsent } = retention;
  const hasTokens = summaryTokens > 0 || summaryCallTokens > 0 || counted !== undefined;
  const hasMore = metrics !== undefined || limits !== undefined || unsent !== undefined;
  if (added.length === 0 && !hasTokens && !transient && !hasMore) return RARE_BY_PLACE[addedAt];
  return {
    added,
    addedAt,
    entering,
    transient,
    summaryTokens,
    summaryCallTokens,
    figures: metrics,
    limits,
    unsent,
    counted,
  };
}

interface Kind {
  readonly trigger: SimulatedTrigger;
  readonly outcome: Outcome;
}

const kinds: Kind[] = [];

/** Returns one shared object for each of the few kinds. */
function kindOf(trigger: SimulatedTrigger, outcome: Outcome): Kind {
  for (const kind of kinds) if (kind.trigger === trigger && kind.outcome === outcome) return kind;
  const kind = { trigger, outcome };
  kinds.push(kind);
  return kind;
}

/** The context before a compaction. `tokens` is the size that the policy saw; `counted` is comparable with the size after it. */
interface StateBefore {
  readonly request: RequestIndex;
  readonly tokens: Tokens;
  readonly counted: Tokens;
  readonly items: number;
  /** Time of a compaction during a pause. */
  readonly at?: Milliseconds | undefined;
}

/** The context after the compaction. */
interface StateAfter {
  readonly tokens: Tokens;
  readonly uncached: Tokens;
  readonly thrash: boolean;
}

/** Index of each number within a compaction's part of the list. */
const OFFSET = {
  request: 0,
  before: 1,
  after: 2,
  uncached: 3,
  kept: 4,
  dropped: 5,
  changed: 6,
  thrash: 7,
  at: 8,
} as const;
const WIDTH = 9;

/**
 * Compactions of a run as numbers in one list. A policy that fires before every request of a long session creates tens of thousands, and most of them
 * are never read. They become objects on demand.
 */
export class CompactionLog {
  readonly #context: SimulatedContext;
  readonly #changed = new ChangedSizes();
  #numbers = new Float64Array(16 * WIDTH);
  readonly #kinds: Kind[] = [];
  readonly #rares: Rare[] = [];
  #summaryCallTokens = 0;
  #list: readonly SimulatedCompaction[] | undefined;

  /** @param context of the run; read when the list is requested */
  constructor(context: SimulatedContext) {
    this.#context = context;
  }

  get length(): number {
    return this.#rares.length;
  }

  /** Tokens sent for summaries so far. */
  get summaryCallTokens(): Tokens {
    return this.#summaryCallTokens;
  }

  put(retention: Compaction, was: StateBefore, is: StateAfter): void {
    const at = this.length * WIDTH;
    if (at === this.#numbers.length) this.#grow();
    const numbers = this.#numbers;
    const kept = countOf(retention.kept);
    numbers[at + OFFSET.request] = was.request;
    numbers[at + OFFSET.before] = was.tokens;
    numbers[at + OFFSET.after] = is.tokens;
    numbers[at + OFFSET.uncached] = is.uncached;
    numbers[at + OFFSET.kept] = kept;
    numbers[at + OFFSET.dropped] = was.items - kept;
    numbers[at + OFFSET.changed] = this.#changed.put(retention);
    numbers[at + OFFSET.thrash] = is.thrash ? 1 : 0;
    numbers[at + OFFSET.at] = was.at ?? Number.NaN;
    this.#kinds.push(kindOf(retention.trigger ?? "threshold", retention.outcome));
    this.#rares.push(rareOf(retention, was.counted === was.tokens ? undefined : was.counted));
    this.#summaryCallTokens += retention.summaryCallTokens;
    this.#list = undefined;
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#numbers.length);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  list(): readonly SimulatedCompaction[] {
    this.#list ??= this.#kinds.map(
      (kind, index) => new LoggedCompaction(this, index, kind, this.#rares[index] ?? RARE_BY_PLACE.back),
    );
    return this.#list;
  }

  /** The size before each compaction; creates no objects for the rest. */
  *sizesBefore(): Generator<Pick<SimulatedCompaction, "request" | "tokensBefore">> {
    for (let index = 0; index < this.length; index++) {
      yield { request: this.numberOf(index, "request"), tokensBefore: this.numberOf(index, "before") };
    }
  }

  numberOf(index: number, name: keyof typeof OFFSET): number {
    return this.#numbers[index * WIDTH + OFFSET[name]] ?? 0;
  }

  /** The items that a compaction truncated, each with its remaining tokens. */
  truncated(index: number): SimulatedCompaction["truncated"] {
    return this.#changed.truncated(this.numberOf(index, "changed"));
  }

  /** The items that a compaction cleared, each with its remaining tokens. */
  cleared(index: number): SimulatedCompaction["cleared"] {
    return this.#changed.cleared(this.numberOf(index, "changed"));
  }

  /** The items that a compaction kept. */
  kept(index: number): readonly ItemIndex[] {
    return this.#context.keptAt(this.numberOf(index, "request"));
  }
}

/** A compaction in a log, which looks up its items on demand. */
class LoggedCompaction implements SimulatedCompaction {
  readonly request: RequestIndex;
  readonly trigger: SimulatedTrigger;
  readonly outcome: Outcome;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  readonly uncached: Tokens;
  readonly thrash: boolean;
  readonly keptItems: number;
  readonly droppedItems: number;
  readonly at: Milliseconds | undefined;
  readonly #log: CompactionLog;
  readonly #index: number;
  readonly #rare: Rare;

  constructor(log: CompactionLog, index: number, { trigger, outcome }: Kind, rare: Rare) {
    this.#log = log;
    this.#index = index;
    this.#rare = rare;
    this.request = log.numberOf(index, "request");
    this.tokensBefore = log.numberOf(index, "before");
    this.tokensAfter = log.numberOf(index, "after");
    this.uncached = log.numberOf(index, "uncached");
    this.thrash = log.numberOf(index, "thrash") === 1;
    this.trigger = trigger;
    this.outcome = outcome;
    this.keptItems = log.numberOf(index, "kept");
    this.droppedItems = log.numberOf(index, "dropped");
    const at = log.numberOf(index, "at");
    this.at = Number.isNaN(at) ? undefined : at;
  }

  get kept(): readonly ItemIndex[] {
    return this.#log.kept(this.#index);
  }

  get truncated(): SimulatedCompaction["truncated"] {
    return this.#log.truncated(this.#index);
  }

  get cleared(): SimulatedCompaction["cleared"] {
    return this.#log.cleared(this.#index);
  }

  get added(): readonly SyntheticItem[] {
    return this.#rare.added;
  }

  get addedAt(): Retention["addedAt"] {
    return this.#rare.addedAt;
  }

  get entering(): number {
    return this.#rare.entering;
  }

  get transient(): boolean {
    return this.#rare.transient;
  }

  get summaryTokens(): Tokens {
    return this.#rare.summaryTokens;
  }

  get summaryCallTokens(): Tokens {
    return this.#rare.summaryCallTokens;
  }

  get tokensBeforeCounted(): Tokens | undefined {
    return this.#rare.counted;
  }

  get figures(): PolicyMetrics | undefined {
    return this.#rare.figures;
  }

  get limits(): Retention["limits"] | undefined {
    return this.#rare.limits;
  }

  get unsent(): Retention["unsent"] | undefined {
    return this.#rare.unsent;
  }

  get shrunk(): boolean {
    return this.tokensAfter < comparableBefore(this);
  }
}
