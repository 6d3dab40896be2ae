import { Slot } from "radix-ui";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";

/** An overlay on the page, and its trigger. */
interface Overlay {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly contentId: string;
  /** True if a key opened it, so that the focus goes to its first item. */
  readonly byKey: RefObject<boolean>;
}

const Context = createContext<Overlay | undefined>(undefined);

/** The overlay around a component, which must be inside an `OverlayRoot`. */
export function useOverlay(): Overlay {
  const overlay = useContext(Context);
  if (overlay === undefined) throw new Error("There is no overlay around this.");
  return overlay;
}

interface OverlayProps {
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
}

/** Holds an overlay's open state. Its trigger is a plain button; the content's code is loaded when the user is about to open it. */
export function OverlayRoot({ open: given, onOpenChange, children }: OverlayProps) {
  const [own, setOwn] = useState(false);
  const open = given ?? own;
  const trigger = useRef<HTMLButtonElement>(null);
  const byKey = useRef(false);
  const contentId = useId();
  const overlay = useMemo(() => {
    const setOpen = (next: boolean) => {
      setOwn(next);
      onOpenChange?.(next);
    };
    return { open, setOpen, trigger, contentId, byKey };
  }, [open, onOpenChange, contentId]);
  return <Context.Provider value={overlay}>{children}</Context.Provider>;
}

export interface TriggerProps extends ComponentProps<"button"> {
  /** Gives a trigger's behaviour to the only child instead of rendering a button. */
  readonly asChild?: boolean;
}

interface OverlayTriggerProps extends TriggerProps {
  readonly popup: "menu" | "dialog";
  /** Loads the content's code. */
  readonly load: () => void;
}

/** The button that opens the content of its `OverlayRoot`. */
export function OverlayTrigger({ popup, load, asChild = false, onClick, ...props }: OverlayTriggerProps) {
  const { open, setOpen, trigger, contentId, byKey } = useOverlay();
  const { onPointerEnter, onFocus, onKeyDown, ...rest } = props;
  const Element = asChild ? Slot.Root : "button";
  return (
    <Element
      type="button"
      aria-haspopup={popup}
      aria-expanded={open}
      aria-controls={open ? contentId : undefined}
      data-state={open ? "open" : "closed"}
      ref={trigger}
      {...rest}
      onPointerEnter={(event) => {
        load();
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        load();
        onFocus?.(event);
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (popup !== "menu" || event.key !== "ArrowDown" || event.defaultPrevented) return;
        event.preventDefault();
        byKey.current = true;
        setOpen(true);
      }}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented) return;
        byKey.current = event.detail === 0;
        setOpen(!open);
      }}
    />
  );
}

/** True if the overlay around a component was open before: from then on its content stays, so that it can animate its closing. */
export function useWasOpened(): boolean {
  const { open } = useOverlay();
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return open || opened;
}

/** Makes content treat its trigger as a part of itself: a press on the trigger is not outside, and the focus returns to the trigger. */
export function useTriggerAsPart() {
  const { trigger } = useOverlay();
  const leftOutside = useRef(false);
  return {
    interactedOutside: (event: Event) => {
      if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault();
      else if (!event.defaultPrevented) leftOutside.current = true;
    },
    focusBack: (event: Event) => {
      if (!event.defaultPrevented && !leftOutside.current) trigger.current?.focus();
      leftOutside.current = false;
      event.preventDefault();
    },
  };
}

/**
 * A module that is loaded on first use, and is available synchronously from then on. `React.lazy` would delay its content by a third of a second after
 * an empty fallback, even if the module had arrived.
 */
export function loadedLater<Module>(load: () => Promise<Module>) {
  let module: Module | undefined;
  let loading = false;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const start = async () => {
    if (loading) return;
    loading = true;
    try {
      module = await load();
      for (const listener of listeners) listener();
    } catch {
      loading = false; // The server is unreachable; the next use tries again.
    }
  };
  return {
    start: () => void start(),
    /** The module, once loaded; loading starts if it is wanted. */
    useModule(wanted: boolean): Module | undefined {
      if (wanted) void start();
      return useSyncExternalStore(
        subscribe,
        () => module,
        () => undefined,
      );
    },
  };
}
