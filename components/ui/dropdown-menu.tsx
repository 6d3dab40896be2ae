import type { ComponentProps } from "react";
import type { MenuPanelProps } from "./menu-panel";
import { loadedLater, OverlayRoot, OverlayTrigger, type TriggerProps, useWasOpened } from "./overlay";

type Parts = typeof import("./menu-panel");

const panel = loadedLater(() => import("./menu-panel"));

/** A menu. The rest of the page stays reachable: the menu hides nothing focusable from screen readers. */
export const DropdownMenu = OverlayRoot;

export function DropdownMenuTrigger(props: TriggerProps) {
  return <OverlayTrigger popup="menu" load={panel.start} {...props} />;
}

export function DropdownMenuContent(props: MenuPanelProps) {
  const opened = useWasOpened();
  const parts = panel.useModule(opened);
  return opened && parts ? <parts.MenuPanel {...props} /> : null;
}

export function DropdownMenuItem(props: ComponentProps<Parts["MenuItem"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.MenuItem {...props} /> : null;
}

export function DropdownMenuRadioGroup(props: ComponentProps<Parts["MenuRadioGroup"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.MenuRadioGroup {...props} /> : null;
}

export function DropdownMenuRadioItem(props: ComponentProps<Parts["MenuRadioItem"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.MenuRadioItem {...props} /> : null;
}

export function DropdownMenuSeparator(props: ComponentProps<Parts["MenuSeparator"]>) {
  const parts = panel.useModule(true);
  return parts ? <parts.MenuSeparator {...props} /> : null;
}
