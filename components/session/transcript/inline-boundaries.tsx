import { useMemo } from "react";
import { usePolicyWords } from "@/components/settings/use-words";
import { boundariesOf } from "@/lib/core/columns/columns";
import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";
import { boundaryKind } from "../boundaries/kinds";
import { useRecorded } from "../state/recorded-data";
import { usePolicyChoice, useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { usePlaces } from "../state/use-places";
import { boundariesBefore } from "./boundary-places";
import { BoundaryRow } from "./boundary-row";

/** How many simulated boundaries are listed at one place: any further ones would say the same. */
const SHOWN = 3;

interface InlineBoundariesProps {
  /** The item of the row before; −1 for none. */
  readonly after: number;
  /** The item that they stand before; the number of items at the end of the list. */
  readonly to: number;
}

/** The boundaries between two rows, recorded ones first. */
export function InlineBoundaries({ after, to: last }: InlineBoundariesProps) {
  const { columns } = useSession();
  const { recorded } = useRecorded();
  const { simulated, choice } = useReplay();
  const rows = useMemo(() => boundariesOf(columns, "compaction"), [columns]);
  const { compactions } = simulated;
  const { firstItem } = columns.requests;
  const [from, to] = boundariesBefore(rows.length, (row) => columns.boundaries.item[rows[row] ?? 0] ?? 0, after, last);
  const [simulatedFrom, simulatedTo] =
    choice.policy.id === "recorded"
      ? [0, 0]
      : boundariesBefore(
          compactions.length,
          (ordinal) => firstItem[compactions[ordinal]?.request ?? 0] ?? columns.length,
          after,
          last,
        );
  return (
    <>
      {recorded.compactions.slice(from, to).map((compaction) => (
        <Boundary key={compaction.request} kind="recorded" compaction={compaction} />
      ))}
      {compactions.slice(simulatedFrom, Math.min(simulatedTo, simulatedFrom + SHOWN)).map((compaction) => (
        <Boundary key={compaction.request} kind="simulated" compaction={compaction} />
      ))}
    </>
  );
}

interface BoundaryProps {
  readonly kind: "recorded" | "simulated";
  readonly compaction: SimulatedCompaction;
}

function Boundary({ kind, compaction }: BoundaryProps) {
  const words = usePolicyWords();
  const { policy } = usePolicyChoice();
  const { openRequest } = usePlaces();
  return (
    <BoundaryRow
      kind={kind}
      compaction={compaction}
      what={boundaryKind(compaction, kind === "recorded" ? {} : policy)}
      policy={words.policy(policy)}
      onDetails={() => openRequest(compaction.request, "boundaries")}
    />
  );
}
