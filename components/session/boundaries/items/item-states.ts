import { type BoundaryItem, ITEM_STATES, type ItemState } from "@/lib/core/compaction/boundary-items";

/** Which items are listed: those of one state, or all. */
export type StateChoice = ItemState | "all";

/** The choices that have items, each with its count; "all" comes first. */
export function stateChoices(
  items: readonly BoundaryItem[],
): readonly { readonly id: StateChoice; readonly count: number }[] {
  const counts = new Map<ItemState, number>();
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1);
  const present = ITEM_STATES.filter((state) => counts.has(state));
  return [
    { id: "all" as const, count: items.length },
    ...(present.length < 2 ? [] : present.map((id) => ({ id, count: counts.get(id) ?? 0 }))),
  ];
}

/** The items of a choice, in context order. */
export function itemsOfState(items: readonly BoundaryItem[], choice: StateChoice): readonly BoundaryItem[] {
  return choice === "all" ? items : items.filter(({ state }) => state === choice);
}
