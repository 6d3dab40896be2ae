import { DismissableLayer, Popper } from "radix-ui/internal";
import type { ReactNode, RefObject } from "react";
import { createPortal } from "react-dom";

interface TooltipPanelProps {
  readonly id: string;
  /** The element that it belongs to. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  readonly onClose: () => void;
}

/** An open tooltip. Loaded when the user reaches an element with one. */
export function TooltipPanel({ id, anchor, children, onClose, ...pointer }: TooltipPanelProps) {
  const { current } = anchor;
  if (current === null) return null;
  return createPortal(
    <Popper.Root>
      <Popper.Anchor virtualRef={{ current }} />
      <DismissableLayer.Root
        asChild
        disableOutsidePointerEvents={false}
        onDismiss={onClose}
        onFocusOutside={(event) => event.preventDefault()}
      >
        <Popper.Content
          id={id}
          role="tooltip"
          side="top"
          sideOffset={6}
          collisionPadding={8}
          className="floating appear z-50 max-w-80 px-2 py-1 text-sm text-t1"
          {...pointer}
        >
          {children}
        </Popper.Content>
      </DismissableLayer.Root>
    </Popper.Root>,
    document.body,
  );
}
