import { loadedLater, OverlayRoot, OverlayTrigger, type TriggerProps, useWasOpened } from "./overlay";
import type { PopoverPanelProps } from "./popover-panel";

const panel = loadedLater(() => import("./popover-panel"));

export const Popover = OverlayRoot;

export function PopoverTrigger(props: TriggerProps) {
  return <OverlayTrigger popup="dialog" load={panel.start} {...props} />;
}

export function PopoverContent(props: PopoverPanelProps) {
  const opened = useWasOpened();
  const parts = panel.useModule(opened);
  return opened && parts ? <parts.PopoverPanel {...props} /> : null;
}
