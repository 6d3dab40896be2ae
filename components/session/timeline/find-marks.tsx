import { useMemo } from "react";
import type { Frame } from "@/components/charts/frame";
import { useFind } from "../state/find";
import { useSession } from "../state/session-data";

/** Where the text that is looked for stands in the session: a line at every request that has it, one a pixel at most. */
export function FindMarks({ map }: { readonly map: Frame }) {
  const { requestOfItem } = useSession();
  const { found } = useFind();
  const items = found?.items;
  const pixels = useMemo(
    () => new Set(items?.map((item) => Math.round(map.x.px((requestOfItem[item] ?? 0) + 0.5)))),
    [items, requestOfItem, map],
  );
  if (pixels.size === 0) return null;
  const path = Array.from(pixels, (px) => `M${px} 0v6`).join("");
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full" data-testid="find-marks">
      <path d={path} className="stroke-accent" strokeWidth="2" fill="none" />
    </svg>
  );
}
