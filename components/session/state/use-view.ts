"use client";

import { useQueryState } from "nuqs";
import { type GreyBy, type Lens, URL_OPTIONS, VIEW_PARSERS } from "./url-state";

const LENS = VIEW_PARSERS.lens.withOptions(URL_OPTIONS);
const GREY = VIEW_PARSERS.grey.withOptions(URL_OPTIONS);

export function useLens(): readonly [Lens, (lens: Lens) => void] {
  const [lens, set] = useQueryState("lens", LENS);
  return [lens, (next) => void set(next)];
}

/** Which of the two contexts greys the transcript. */
export function useGreyBy(): readonly [GreyBy, (by: GreyBy) => void] {
  const [by, set] = useQueryState("grey", GREY);
  return [by, (next) => void set(next)];
}
