import { lazy } from "react";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { PaletteKey } from "@/components/palette/palette-key";
import { useCursor, useCursorActions } from "./state/cursor";
import { LENSES, lensKey } from "./state/lenses";
import { useView } from "./state/view";
import { useTimelineKeys } from "./timeline/use-timeline-keys";
import { useItemKeys } from "./transcript/use-item-keys";

const SessionPalette = lazy(async () => ({ default: (await import("./session-palette")).SessionPalette }));

/** The keys of the session page. */
export function SessionKeys() {
  const { setLens, toggleReading } = useView();
  const { pin } = useCursor();
  const actions = useCursorActions();
  const timeline = useTimelineKeys();
  const items = useItemKeys();
  useShortcuts({
    ...Object.fromEntries(LENSES.map((lens) => [lensKey(lens), () => setLens(lens)])),
    j: items.next,
    k: items.previous,
    r: toggleReading,
    "[": timeline.previousBoundary,
    "]": timeline.nextBoundary,
    "+": timeline.zoomIn,
    "=": timeline.zoomIn,
    "-": timeline.zoomOut,
    "−": timeline.zoomOut,
    "0": timeline.zoomAll,
    Escape: () => {
      if (pin === null) return false;
      actions.pin(null);
    },
  });
  return <PaletteKey palette={SessionPalette} />;
}
