import type { ComponentProps } from "react";
import { loadedLater } from "./loaded-later";
import { OverlayRoot, OverlayTrigger, type TriggerProps, useWasOpened } from "./overlay";

type Parts = typeof import("./dialog-panel");

const panel = loadedLater(() => import("./dialog-panel"));

export const Sheet = OverlayRoot;

export function SheetTrigger(props: TriggerProps) {
  return <OverlayTrigger popup="dialog" load={panel.start} {...props} />;
}

/** A dialog at an edge of the screen; on a phone at the bottom. It holds a `SheetTitle`. */
export function SheetContent(props: ComponentProps<Parts["SheetPanel"]>) {
  const opened = useWasOpened();
  const parts = panel.useModule(opened);
  return opened && parts ? <parts.SheetPanel {...props} /> : null;
}

export function SheetTitle(props: ComponentProps<Parts["SheetTitle"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.SheetTitle {...props} /> : null;
}
