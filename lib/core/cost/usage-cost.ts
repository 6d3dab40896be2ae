import type { Milliseconds } from "../base/units";
import type { RequestTermsRow } from "../columns/columns";
import type { Prices } from "../prices/prices";
import { ratesFor } from "../prices/rates-at";
import type { Usage } from "../transcript/model";
import type { MicroDollars } from "./money";
import { factorOf } from "./priced-requests";
import { costOfTokens, totalOf } from "./recorded-cost";

/** Usage of a request, and the facts that decide its price. */
interface UsageFacts {
  readonly model: string | undefined;
  /** Time that decides the price; NaN without one. */
  readonly at: Milliseconds;
  readonly usage: Usage;
  readonly terms: RequestTermsRow;
}

/** Cost of one request by its usage; `undefined` if its model or its terms have no price. Source: docs/prices.md, "Cost of a request". */
export function costOfUsage({ model, at, usage, terms }: UsageFacts, prices: Prices): MicroDollars | undefined {
  const { input, cacheRead: read = 0, cacheWrite = 0, cacheWrite1h: write1h = 0, output = 0 } = usage;
  const entry = model === undefined ? undefined : prices.find(model);
  const rates = entry === undefined ? undefined : ratesFor(entry, at, input + read + cacheWrite);
  const factor = entry === undefined ? undefined : factorOf(entry, terms);
  if (rates === undefined || factor === undefined) return undefined;
  return totalOf(costOfTokens({ read, write5m: cacheWrite - write1h, write1h, plain: input }, output, rates, factor));
}
