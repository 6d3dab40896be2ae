import fc from "fast-check";
import type { ContextView, Policy, Retention } from "../compaction/policy/policy";
import { rangesOf } from "../compaction/simulation/positions";
import { trajectoryOf } from "../compaction/simulation/trajectory";
import { addedItem, policyOf } from "./policies";

/** Sizes up to a maximum, often 0, since a summary may have that size. */
const sizes = (max: number) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(max) });

/** Action of a policy at one request: the items that leave, items that change their size, and added items. */
const wildStep = fc.record({
  drops: fc.array(fc.nat(40), { maxLength: 4 }),
  dropsFirst: fc.oneof(fc.constant(0), fc.nat(3)),
  resizes: fc.array(fc.tuple(fc.nat(40), sizes(400)), { maxLength: 3 }),
  added: fc.array(sizes(50), { maxLength: 3 }),
  addedAt: fc.constantFrom("front" as const, "back" as const),
  /** True if the newest item that stays enters afterwards, if it came with this request. */
  enters: fc.boolean(),
  /** Applies to the request alone: then only sizes of recorded items change. */
  transient: fc.boolean(),
});

type WildStep = Omit<typeof wildStep extends fc.Arbitrary<infer T> ? T : never, never>;

/** Policies that do anything anywhere, or nothing, request after request. For recordings without calls. */
export const wildPolicy = fc.array(fc.option(wildStep), { maxLength: 12 }).map((steps): Policy => {
  const stepAt = (request: number) => steps[request % Math.max(1, steps.length)] ?? null;
  return policyOf((view) => {
    const step = stepAt(view.request);
    return step === null ? undefined : { ...retention(view, step), trigger: "threshold" };
  });
});

/** True if a position is that of a context's last item, and the item came with this request. */
function isNew({ items, columns, request }: ContextView, position = -1): boolean {
  const entered = trajectoryOf(columns).entered[items.at(position)];
  return position === items.length - 1 && entered === request;
}

function retention(view: ContextView, step: WildStep): Retention {
  const { addedAt, transient } = step;
  const { items, columns } = view;
  const stay = Array.from({ length: items.length }, (_, position) => position).filter(
    (position) => transient || (position >= step.dropsFirst && !step.drops.includes(position)),
  );
  const resized = step.resizes.flatMap(([at, tokens]) => {
    const item = stay[at] === undefined ? -1 : items.at(stay[at]);
    return item < 0 || (transient && item >= columns.length) ? [] : [[item, tokens] as const];
  });
  return {
    kept: rangesOf(stay),
    truncated: [...new Map(resized)],
    cleared: [],
    added: transient ? [] : step.added.map((tokens) => addedItem(tokens)),
    addedAt,
    entering: step.enters && addedAt === "back" && isNew(view, stay.at(-1)) ? 1 : 0,
    transient,
    outcome: "summary",
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}
