/** Exact counters, which the host carries: for tests of an agent whose rule needs them. */
export { exactCounter } from "@/lib/server/tokens/exact-counter";
