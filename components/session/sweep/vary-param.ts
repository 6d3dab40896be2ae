import { createParser, parseAsArrayOf, parseAsStringLiteral } from "nuqs";
import type { Spent } from "@/lib/core/figures/registry";
import { SWEPT_FIGURES } from "@/lib/core/figures/values";
import type { VaryRange } from "@/lib/core/metrics/grid";

/** A range as on the command line: `triggerShare=0.5:0.95:0.05`. */
export function varyText({ key, from, to, step }: VaryRange): string {
  return `${key}=${from}:${to}:${step}`;
}

/** The range that a text describes; `null` where it describes none. */
export function parseVary(text: string): VaryRange | null {
  const [, key, ...parts] = /^(\w+)=([^:]+):([^:]+):([^:]+)$/.exec(text) ?? [];
  const [from = Number.NaN, to = Number.NaN, step = Number.NaN] = parts.map(Number);
  return key === undefined || ![from, to, step].every(Number.isFinite) ? null : { key, from, to, step };
}

const varyParser = createParser<VaryRange>({
  parse: parseVary,
  serialize: varyText,
  eq: (a, b) => varyText(a) === varyText(b),
});

/** What the front can weigh against the tokens kept. */
export const SPENT = ["tokensSent", "costUsd"] as const satisfies readonly Spent[];

/** The sweep in the address: the ranges, separated by `~`, which figure the map shows, and what the front weighs against the tokens kept. */
export const SWEEP_PARSERS = {
  vary: parseAsArrayOf(varyParser, "~").withDefault([]),
  metric: parseAsStringLiteral(SWEPT_FIGURES.map(({ key }) => key)).withDefault("tokensSent"),
  front: parseAsStringLiteral(SPENT).withDefault("tokensSent"),
};
