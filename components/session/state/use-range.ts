"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useSession } from "./session-data";
import { URL_OPTIONS, VIEW_PARSERS } from "./url-state";
import { isWhole, type RequestRange, rangeWithin } from "./zoom";

const PARSERS = { from: VIEW_PARSERS.from, to: VIEW_PARSERS.to };

/** The requests that the timeline shows, and how to change them. The whole session leaves no trace in the address. */
export function useRange(): readonly [RequestRange, (range: RequestRange) => void] {
  const { points } = useSession();
  const [{ from, to }, update] = useQueryStates(PARSERS, URL_OPTIONS);
  const range = useMemo(() => rangeWithin(points, from, to), [points, from, to]);
  const set = useMemo(
    () => (next: RequestRange) => void update(isWhole(next, points) ? { from: null, to: null } : next),
    [update, points],
  );
  return [range, set];
}
