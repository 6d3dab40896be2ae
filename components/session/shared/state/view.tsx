import { type ReactNode, useMemo, useState } from "react";
import { isWhole, type RequestRange, rangeWithin } from "@/components/charts/zoom";
import { requiredContext } from "@/components/hooks/required-context";
import type { Lens } from "./lenses";
import { useSession } from "./session-data";
import { type Axis, type GreyBy, type Height, type Side, VIEW_PARSERS } from "./url-state";
import { useAddress } from "./use-address";

interface View {
  readonly lens: Lens;
  readonly setLens: (lens: Lens) => void;
  /** Which of the two contexts greys the transcript. */
  readonly greyBy: GreyBy;
  readonly setGreyBy: (by: GreyBy) => void;
  /** Which context the lenses beside the timeline show. */
  readonly side: Side;
  readonly setSide: (side: Side) => void;
  /** The requests that the timeline shows. */
  readonly range: RequestRange;
  /** @param history `replace` makes it part of the step before */
  readonly setRange: (range: RequestRange, history?: "replace") => void;
  readonly axis: Axis;
  readonly setAxis: (axis: Axis) => void;
  /** `null`: the height that suits the session. */
  readonly height: Height | null;
  readonly setHeight: (height: Height) => void;
  /** Whether the transcript has the whole page. */
  readonly isReading: boolean;
  /** Gives the transcript the whole page, from any lens, or gives the chart its place back. */
  readonly toggleReading: () => void;
  /** Whether the replay panel is open where it is a sheet; no part of the address. */
  readonly isSheetOpen: boolean;
  readonly setSheetOpen: (open: boolean) => void;
}

const PARSERS = {
  lens: VIEW_PARSERS.lens,
  grey: VIEW_PARSERS.grey,
  show: VIEW_PARSERS.show,
  from: VIEW_PARSERS.from,
  to: VIEW_PARSERS.to,
  axis: VIEW_PARSERS.axis,
  height: VIEW_PARSERS.height,
  read: VIEW_PARSERS.read,
};

const [Context, useView] = requiredContext<View>("View");

export { useView };

/** What the page shows, read from the address in one place: otherwise every reader of the address would be run again whenever it changes. */
export function ViewProvider({ children }: { readonly children: ReactNode }) {
  const { points } = useSession();
  const [{ lens, grey, show, from, to, axis, height, read }, update] = useAddress(PARSERS);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const view = useMemo(
    (): View => ({
      lens,
      setLens: (next) => void update({ lens: next }),
      greyBy: grey,
      setGreyBy: (next) => void update({ grey: next }),
      side: show,
      setSide: (next) => void update({ show: next }),
      range: rangeWithin(points, from, to),
      // The whole session is written as no range at all.
      setRange: (next, history) =>
        void update(isWhole(next, points) ? { from: null, to: null } : next, history && { history }),
      axis,
      setAxis: (next) => void update({ axis: next }),
      height,
      setHeight: (next) => void update({ height: next }),
      isReading: read && lens === "timeline",
      toggleReading: () => void update({ lens: "timeline", read: !(read && lens === "timeline") }),
      isSheetOpen,
      setSheetOpen,
    }),
    [lens, grey, show, from, to, axis, height, read, points, update, isSheetOpen],
  );
  return <Context value={view}>{children}</Context>;
}
