import type { ComponentProps, KeyboardEvent, ReactNode, Ref } from "react";
import { cn } from "./cn";

interface TabListProps<Id extends string> {
  readonly ref?: Ref<HTMLDivElement>;
  readonly label: string;
  readonly ids: readonly Id[];
  readonly current: Id;
  readonly onChange: (id: Id) => void;
  readonly shortcutOf: (id: Id) => string;
  /** The name of a tab. */
  readonly children: (id: Id) => ReactNode;
  readonly className?: string;
  readonly "data-tour"?: string;
}

/** A row of tabs; the accent marks the current one. Arrow keys, Home and End select another one, as the ARIA authoring practices say. */
export function TabList<Id extends string>(props: TabListProps<Id>) {
  const { ref, label, ids, current, onChange, shortcutOf, children, className } = props;
  const select = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = ids.indexOf(current);
    const moves: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 };
    const next = moves[event.key];
    const id = next === undefined ? undefined : ids.at(next % ids.length);
    if (id === undefined) return;
    event.preventDefault();
    onChange(id);
    event.currentTarget.querySelector<HTMLElement>(`#${tabId(id)}`)?.focus();
  };
  return (
    <div
      ref={ref}
      role="tablist"
      tabIndex={-1}
      aria-label={label}
      data-tour={props["data-tour"]}
      onKeyDown={select}
      className={cn("flex h-10 items-stretch gap-1 overflow-x-auto overflow-y-hidden", className)}
    >
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabId(id)}
          aria-selected={id === current}
          aria-controls={id === current ? panelId(id) : undefined}
          aria-keyshortcuts={shortcutOf(id)}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onChange(id)}
          className="flex items-center gap-2 border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-t2 -outline-offset-2 hover:text-t1 aria-selected:border-accent aria-selected:text-t1"
        >
          {children(id)}
        </button>
      ))}
    </div>
  );
}

/**
 * The content of the current tab. It is positioned, so that it contains text for screen readers, which would otherwise make the page itself scroll.
 */
export function TabPanel({ id, className, ...props }: ComponentProps<"div"> & { readonly id: string }) {
  return (
    <div
      role="tabpanel"
      id={panelId(id)}
      aria-labelledby={tabId(id)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may begin with text, and the keyboard scrolls it
      tabIndex={0}
      className={cn("relative", className)}
      {...props}
    />
  );
}

const tabId = (id: string) => `tab-${id}`;
const panelId = (id: string) => `panel-${id}`;
