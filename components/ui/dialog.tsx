import type { ComponentProps } from "react";
import { loadedLater, OverlayRoot, OverlayTrigger, type TriggerProps, useWasOpened } from "./overlay";

type Parts = typeof import("./dialog-panel");

const panel = loadedLater(() => import("./dialog-panel"));

export const Dialog = OverlayRoot;

export function DialogTrigger(props: TriggerProps) {
  return <OverlayTrigger popup="dialog" load={panel.start} {...props} />;
}

/** A centred dialog. It holds a `DialogTitle`; without a `DialogDescription` pass `aria-describedby={undefined}`. */
export function DialogContent(props: ComponentProps<Parts["DialogPanel"]>) {
  const opened = useWasOpened();
  const parts = panel.useModule(opened);
  return opened && parts ? <parts.DialogPanel {...props} /> : null;
}

export function DialogTitle(props: ComponentProps<Parts["DialogTitle"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.DialogTitle {...props} /> : null;
}

export function DialogDescription(props: ComponentProps<Parts["DialogDescription"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.DialogDescription {...props} /> : null;
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
