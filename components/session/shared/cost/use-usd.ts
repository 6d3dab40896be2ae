import { useFormat } from "@/components/format/use-format";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";

/** Formats dollars, with `≥` for a lower bound; `null` where they are not known. */
export function useUsd(): (dollars: number | null, lowerBound?: boolean) => string | null {
  const format = useFormat();
  return (dollars, lowerBound) => (dollars === null ? null : format.usd(dollars, lowerBound));
}

/** The same for micro-dollars. */
export function useMicroUsd(): (amount: MicroDollars | undefined, lowerBound?: boolean) => string | null {
  const usd = useUsd();
  return (amount, lowerBound) => usd(amount === undefined ? null : dollarsOf(amount), lowerBound);
}
