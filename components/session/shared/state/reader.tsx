import { type ReactNode, useMemo, useState } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { useCursor, useCursorActions } from "./cursor";
import { neighbour, type Rows, transcriptRows } from "./rows";
import { useSession } from "./session-data";

/** How the transcript is read: which rows it has, and which of them are open. */
interface Reader {
  readonly rows: Rows;
  /** The items whose rows are open. */
  readonly opened: ReadonlySet<number>;
  readonly showEmpty: boolean;
  /** Goes up with every step by key: the focus follows those. */
  readonly steps: number;
}

interface ReaderActions {
  /** Selects an item and opens its row, or closes it if it is open. No request is pinned: reading on must not change what the chart shows. */
  readonly toggle: (item: number) => void;
  readonly open: (item: number) => void;
  /** Selects the row that is `by` rows further on, and moves the focus there. */
  readonly step: (by: number) => void;
  readonly setShowEmpty: (show: boolean) => void;
}

const [ReaderContext, useReader] = requiredContext<Reader>("Reader");
const [ActionsContext, useReaderActions] = requiredContext<ReaderActions>("ReaderActions");

export { useReader, useReaderActions };

export function ReaderProvider({ children }: { readonly children: ReactNode }) {
  const { columns, requestOfItem } = useSession();
  const { item } = useCursor();
  const cursor = useCursorActions();
  const [showEmpty, setShowEmpty] = useState(false);
  const [steps, setSteps] = useState(0);
  const rows = useMemo(
    () => transcriptRows(columns, { requestOfItem, showEmpty }),
    [columns, requestOfItem, showEmpty],
  );
  // An item that the address names arrives open.
  const [opened, setOpened] = useState<ReadonlySet<number>>(
    () => new Set(item === null ? [] : [neighbour(rows, item, 0)]),
  );
  const reader = useMemo((): Reader => ({ rows, opened, showEmpty, steps }), [rows, opened, showEmpty, steps]);
  const actions = useMemo(
    (): ReaderActions => ({
      toggle: (toggled) => {
        cursor.show(toggled);
        setOpened((was) => withToggled(was, toggled));
      },
      open: (wanted) => setOpened((was) => new Set(was).add(neighbour(rows, wanted, 0))),
      step: (by) => {
        cursor.step((from) => neighbour(rows, from, by));
        setSteps((was) => was + 1);
      },
      setShowEmpty,
    }),
    [cursor, rows],
  );
  return (
    <ActionsContext value={actions}>
      <ReaderContext value={reader}>{children}</ReaderContext>
    </ActionsContext>
  );
}

function withToggled(items: ReadonlySet<number>, item: number): ReadonlySet<number> {
  const next = new Set(items);
  if (!next.delete(item)) next.add(item);
  return next;
}
