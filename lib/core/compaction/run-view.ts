import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { ContextView, SyntheticItem } from "./policy";
import type { SimulatedContext } from "./simulated-context";

/** What the policy is shown: one object for the whole run, brought up to date before every question. */
export class RunView implements ContextView {
  request: RequestIndex = 0;
  lastInput: Tokens = 0;
  lastOutput: Tokens = 0;
  firstInput: Tokens = 0;
  added: Tokens = 0;
  history: Tokens = 0;
  turnStart = false;
  compactions = 0;
  summaryCalls = 0;
  readonly overhead: Tokens;

  constructor(
    readonly columns: SessionColumns,
    readonly items: SimulatedContext,
    readonly window: Tokens,
    readonly sent: Int32Array,
  ) {
    this.overhead = items.total;
  }

  tokensOf(item: ItemIndex): Tokens {
    return this.items.tokensOf(item);
  }

  synthetic(item: ItemIndex): SyntheticItem | undefined {
    return item < this.columns.length ? undefined : this.items.added[item - this.columns.length]?.item;
  }
}
