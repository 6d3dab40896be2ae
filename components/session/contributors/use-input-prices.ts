import { useMemo } from "react";
import { type InputPrices, inputPrices, recordedInputs, simulatedInputs } from "@/lib/core/metrics/input-prices";
import { usePricedSession, useSimulatedSeries } from "../cost/use-cost";
import type { ContextAt } from "./use-context-at";

/** What the context's tokens cost at every request; `undefined` where that is not known. */
export function useInputPrices({ context, simulated }: ContextAt): InputPrices | undefined {
  const { requests } = usePricedSession();
  const series = useSimulatedSeries()?.series;
  return useMemo(() => {
    const inputs = simulated ? series && simulatedInputs(series.requests) : recordedInputs(requests);
    return inputs && inputPrices(context, inputs);
  }, [context, simulated, series, requests]);
}
