import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { ContextView, SyntheticItem } from "./policy/policy";
import type { SimulatedContext } from "./simulation/simulated-context";
import type { UnscaledCounts } from "./simulation/unscaled-counts";

/** The policy's view: one object for the whole run, updated before every call. */
export class RunView implements ContextView {
  request: RequestIndex = 0;
  lastInput: Tokens = 0;
  lastOutput: Tokens = 0;
  recordedOutput: Tokens | undefined;
  firstInput: Tokens = 0;
  added: Tokens = 0;
  history: Tokens = 0;
  turnStart = false;
  compactions = 0;
  summaryCalls = 0;
  readonly overhead: Tokens;

  /** @param unscaled given if the sizes are scaled */
  constructor(
    readonly columns: SessionColumns,
    readonly items: SimulatedContext,
    readonly window: Tokens,
    readonly sent: Int32Array,
    private readonly unscaled: UnscaledCounts | undefined,
  ) {
    this.overhead = items.total;
  }

  /** Computed on demand, since few policies use it. */
  get addedCount(): Tokens {
    return this.unscaled === undefined ? this.added : this.unscaled.ofAdded(this.request, this.added);
  }

  tokensOf(item: ItemIndex): Tokens {
    return this.items.tokensOf(item);
  }

  countOf(item: ItemIndex): Tokens {
    const tokens = this.items.tokensOf(item);
    return this.unscaled === undefined || item >= this.columns.length ? tokens : this.unscaled.countOf(item, tokens);
  }

  synthetic(item: ItemIndex): SyntheticItem | undefined {
    return item < this.columns.length ? undefined : this.items.added[item - this.columns.length]?.item;
  }
}
