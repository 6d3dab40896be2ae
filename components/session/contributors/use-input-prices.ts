"use client";

import { useMemo } from "react";
import { type InputPrices, inputPrices, recordedInputs } from "@/lib/core/metrics/input-prices";
import { usePricedSession } from "../cost/use-cost";
import type { ContextAt } from "./use-context-at";

/** What the tokens of the context cost at every request; `undefined` where a request has no price, and of a simulated one. */
export function useInputPrices({ context, simulated }: ContextAt): InputPrices | undefined {
  const { requests } = usePricedSession();
  return useMemo(() => {
    const inputs = simulated ? undefined : recordedInputs(requests);
    return inputs && inputPrices(context, inputs);
  }, [context, simulated, requests]);
}
