import { type ReactNode, useMemo, useRef, useState } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { itemOfRequest, useSession } from "./session-data";
import { VIEW_PARSERS } from "./url-state";
import { useAddress } from "./use-address";

/** The request that is pointed at: the hovered one, else the pinned one, else the last. */
interface Cursor {
  readonly at: number;
  readonly hover: number | null;
  readonly pin: number | null;
  /** The item that the transcript shows and that `j` and `k` move. */
  readonly item: number | null;
}

interface CursorActions {
  readonly hover: (request: number | null) => void;
  /** Pins a request and scrolls the transcript to it; `null` releases the pin. */
  readonly pin: (request: number | null) => void;
  /** Takes back what a first click has pinned, which turned out to be half of a double click: no step of its own. */
  readonly restore: (before: Pick<Cursor, "pin" | "item">) => void;
  /** Selects an item and pins the request that it belongs to. */
  readonly select: (item: number) => void;
  /** Selects an item and leaves the pin as it is. */
  readonly show: (item: number) => void;
  /** Selects the item that comes after the selected one, else after the pointed request; it is called with −1 where there is neither. */
  readonly step: (next: (from: number) => number) => void;
}

const [CursorContext, useCursor] = requiredContext<Cursor>("Cursor");
const [ActionsContext, useCursorActions] = requiredContext<CursorActions>("CursorActions");

export { useCursor, useCursorActions };

const PARSERS = { at: VIEW_PARSERS.at, item: VIEW_PARSERS.item };

export function CursorProvider({ children }: { readonly children: ReactNode }) {
  const { points, columns, requestOfItem } = useSession();
  const [hovered, setHovered] = useState<number | null>(null);
  const [{ at, item }, update] = useAddress(PARSERS);
  const latestHover = useRef(hovered);
  latestHover.current = hovered;
  const pin = at === null ? null : Math.min(at, points - 1);
  const cursor = useMemo(
    (): Cursor => ({
      at: hovered ?? pin ?? points - 1,
      hover: hovered,
      pin,
      item: item === null || item >= columns.length ? null : item,
    }),
    [hovered, pin, item, points, columns.length],
  );
  const actions = useMemo(
    (): CursorActions => ({
      hover: setHovered,
      pin: (request) => void update({ at: request, item: request === null ? null : itemOfRequest(columns, request) }),
      restore: ({ pin: at, item: shown }) => void update({ at, item: shown }, { history: "replace" }),
      select: (next) => void update({ at: requestOfItem[next] ?? 0, item: next }),
      show: (next) => void update({ item: next }),
      step: (next) =>
        // Steps from the current state instead of the last drawn one: keys come faster than frames.
        void update((last) => {
          const pointed = latestHover.current ?? last.at;
          const from = last.item ?? (pointed === null ? -1 : itemOfRequest(columns, pointed));
          return { item: next(from) };
        }),
    }),
    [update, columns, requestOfItem],
  );
  return (
    <ActionsContext value={actions}>
      <CursorContext value={cursor}>{children}</CursorContext>
    </ActionsContext>
  );
}
