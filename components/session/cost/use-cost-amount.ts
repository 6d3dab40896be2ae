import { useFormat } from "@/components/format/use-format";
import { dollarsOf } from "@/lib/core/cost/money";
import { useCostView } from "../shared/cost/use-cost";

/** Formats an amount of the chart: micro-dollars or tokens, by the unit in the address. */
export function useCostAmount(): (amount: number) => string {
  const format = useFormat();
  const [{ unit }] = useCostView();
  return unit === "usd" ? (amount) => format.usd(dollarsOf(amount)) : format.count;
}

/** An amount of the chart as a number for others: dollars or tokens. */
export function useCostNumber(): (amount: number) => number {
  const [{ unit }] = useCostView();
  return unit === "usd" ? dollarsOf : (amount) => amount;
}
