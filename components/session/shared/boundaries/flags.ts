import { useTranslations } from "use-intl";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { BoundaryEntry, BoundaryKind } from "./entries";

const BOUNDARY_FLAGS = ["thrash", "notShrunk"] as const;
type BoundaryFlag = (typeof BOUNDARY_FLAGS)[number];

/** The kinds of boundary that try a compaction. Others may come often or free little. */
const TRIED: ReadonlySet<BoundaryKind> = new Set(["compaction", "failure"]);

/**
 * The flags of a boundary: `thrash` if a compaction came too soon after another or kept too much, `notShrunk` if it did not
 * reduce the context. A failed one gets no flag: its facts already state that nothing changed.
 */
export function boundaryFlags(
  what: BoundaryKind,
  { thrash, shrunk }: Pick<SimulatedCompaction, "thrash" | "shrunk">,
): readonly BoundaryFlag[] {
  if (!TRIED.has(what)) return [];
  const applies = { thrash, notShrunk: !shrunk && what === "compaction" };
  return BOUNDARY_FLAGS.filter((flag) => applies[flag]);
}

/** Names a boundary by its kind. A compaction's name includes its trigger; the other kinds have no trigger. */
export function useBoundaryName(): (entry: Pick<BoundaryEntry, "what" | "compaction">) => string {
  const t = useTranslations("session.boundary");
  return ({ what, compaction }) =>
    what === "compaction" ? t(`compactionBy.${compaction.trigger}`) : t(`kind.${what}`);
}
