/** The exact counters that the host provides, for tests of agents whose rules need them. */
export { exactCounter } from "@/lib/server/tokens/exact-counter";
