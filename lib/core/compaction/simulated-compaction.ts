import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { ChangedSizes } from "./changed-sizes";
import type { Figures, Outcome, Retention, SimulatedTrigger, SyntheticItem } from "./policy";
import { countOf } from "./positions";
import type { SimulatedContext } from "./simulated-context";

/** One simulated compaction, before the request named. Sizes include the overhead. */
export interface SimulatedCompaction {
  readonly request: RequestIndex;
  /** `unknown`: of a recorded one, where its record does not say. No policy fires so. */
  readonly trigger: SimulatedTrigger | "unknown";
  readonly outcome: Outcome;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /**
   * The context before it by the count that gives `tokensAfter`; absent where `tokensBefore` is that. Only where a replay leaves
   * the recorded usage do the two differ: without it a small clearing looks as if the context had grown.
   */
  readonly tokensBeforeCounted?: Tokens | undefined;
  readonly summaryTokens: Tokens;
  readonly summaryCallTokens: Tokens;
  /** Tokens of the context behind it that are rewritten, whatever else changed before this request: `Replay.rewritten`. */
  readonly rewritten: Tokens;
  readonly keptItems: number;
  /** Those items, recorded ones in file order and then what earlier compactions had added. Looked up when it is asked for. */
  readonly kept: readonly ItemIndex[];
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Where those stand: in front of what stays, where nothing is said. */
  readonly addedAt?: Retention["addedAt"];
  /** Whether its sizes held for this request alone. */
  readonly transient?: boolean;
  readonly droppedItems: number;
  /** What the policy tells beside that. */
  readonly figures?: Figures | undefined;
  /** Fewer than three requests after the one before, or a result above 80 % of the trigger. */
  readonly thrash: boolean;
  /** Whether it made the context smaller. */
  readonly shrunk: boolean;
}

/** What most compactions do not have: those that only clear share one of these. */
interface Aside extends Pick<Retention, "added" | "addedAt" | "summaryTokens" | "summaryCallTokens"> {
  readonly transient: boolean;
  readonly figures: Figures | undefined;
  readonly counted: Tokens | undefined;
}

const NOTHING: readonly never[] = [];

const NO_ASIDE = {
  added: NOTHING,
  summaryTokens: 0,
  summaryCallTokens: 0,
  transient: false,
  figures: undefined,
  counted: undefined,
};
const ASIDES: Readonly<Record<Retention["addedAt"], Aside>> = {
  front: { ...NO_ASIDE, addedAt: "front" },
  back: { ...NO_ASIDE, addedAt: "back" },
};

function asideOf(retention: Retention, counted: Tokens | undefined): Aside {
  const { added, addedAt, transient = false, summaryTokens, summaryCallTokens, figures } = retention;
  const hasTokens = summaryTokens > 0 || summaryCallTokens > 0 || counted !== undefined;
  if (added.length === 0 && !hasTokens && !transient && figures === undefined) return ASIDES[addedAt];
  return { added, addedAt, transient, summaryTokens, summaryCallTokens, figures, counted };
}

/** The context before a compaction: `counted` as the one after it is, `tokens` as the policy saw it. */
export interface StateBefore {
  readonly request: RequestIndex;
  readonly tokens: Tokens;
  readonly counted: Tokens;
  readonly items: number;
}

/**
 * A compaction that finds its items when they are asked for. Kept small: a policy that fires before every request of a long
 * session leaves tens of thousands.
 */
export class Compaction implements SimulatedCompaction {
  readonly request: RequestIndex;
  readonly trigger: SimulatedTrigger;
  readonly outcome: Outcome;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  readonly rewritten: Tokens;
  readonly thrash: boolean;
  readonly keptItems: number;
  readonly droppedItems: number;
  readonly #context: SimulatedContext;
  readonly #changed: ChangedSizes;
  readonly #changedAt: number;
  readonly #aside: Aside;

  constructor(
    context: SimulatedContext,
    changed: ChangedSizes,
    trigger: SimulatedTrigger,
    retention: Retention,
    was: StateBefore,
    is: { readonly tokens: Tokens; readonly rewritten: Tokens; readonly thrash: boolean },
  ) {
    this.#context = context;
    this.#changed = changed;
    this.#changedAt = changed.put(retention);
    this.#aside = asideOf(retention, was.counted === was.tokens ? undefined : was.counted);
    this.request = was.request;
    this.tokensBefore = was.tokens;
    this.tokensAfter = is.tokens;
    this.rewritten = is.rewritten;
    this.thrash = is.thrash;
    this.trigger = trigger;
    this.outcome = retention.outcome;
    this.keptItems = countOf(retention.kept);
    this.droppedItems = was.items - this.keptItems;
  }

  get kept(): readonly ItemIndex[] {
    return this.#context.keptAt(this.request);
  }

  get truncated(): SimulatedCompaction["truncated"] {
    return this.#changed.truncated(this.#changedAt);
  }

  get cleared(): SimulatedCompaction["cleared"] {
    return this.#changed.cleared(this.#changedAt);
  }

  get added(): readonly SyntheticItem[] {
    return this.#aside.added;
  }

  get addedAt(): Retention["addedAt"] {
    return this.#aside.addedAt;
  }

  get transient(): boolean {
    return this.#aside.transient;
  }

  get summaryTokens(): Tokens {
    return this.#aside.summaryTokens;
  }

  get summaryCallTokens(): Tokens {
    return this.#aside.summaryCallTokens;
  }

  get tokensBeforeCounted(): Tokens | undefined {
    return this.#aside.counted;
  }

  get figures(): Figures | undefined {
    return this.#aside.figures;
  }

  get shrunk(): boolean {
    return this.tokensAfter < comparableBefore(this);
  }
}

/** The context before a compaction that its `tokensAfter` may be compared with: both by the same count. */
export function comparableBefore({
  tokensBefore,
  tokensBeforeCounted,
}: Pick<SimulatedCompaction, "tokensBefore" | "tokensBeforeCounted">): Tokens {
  return tokensBeforeCounted ?? tokensBefore;
}
