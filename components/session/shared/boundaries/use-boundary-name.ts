import { useTranslations } from "use-intl";
import type { BoundaryEntry } from "./entries";

/** Names a boundary by its kind. A compaction's name includes its trigger; the other kinds happen without one. */
export function useBoundaryName(): (entry: Pick<BoundaryEntry, "what" | "compaction">) => string {
  const t = useTranslations("session.boundary");
  return ({ what, compaction }) =>
    what === "compaction" ? t(`compactionBy.${compaction.trigger}`) : t(`kind.${what}`);
}
