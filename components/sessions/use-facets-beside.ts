import { useState } from "react";
import { keptStorage } from "@/components/hooks/kept-storage";
import { useMediaQuery } from "@/components/hooks/use-media-query";

const KEY = "filters-beside";

/** Whether the filters have a column beside the list, which takes its width from titles and sparklines. */
export interface FacetsBeside {
  /** Whether there can be one; else they open in a sheet. */
  readonly isPossible: boolean;
  readonly isShown: boolean;
  readonly toggle: () => void;
}

/** As somebody left it; until then they have a column where there is room for both. */
export function useFacetsBeside(): FacetsBeside {
  const isPossible = useMediaQuery("(width >= 80rem)");
  const isRoomy = useMediaQuery("(width >= 96rem)");
  const [kept, setKept] = useState(() => keptStorage.getItem(KEY));
  const isShown = isPossible && (kept === null ? isRoomy : kept === "yes");
  const toggle = () => {
    const next = isShown ? "no" : "yes";
    keptStorage.setItem(KEY, next);
    setKept(next);
  };
  return { isPossible, isShown, toggle };
}
