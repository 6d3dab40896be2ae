import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { cn } from "./cn";
import { loadedLater } from "./overlay";

interface ChoiceProps<Value extends string> {
  /** Accessible name; not needed if a `<label>` refers to the `id`. */
  readonly label?: string;
  readonly id?: string;
  /** `undefined` if nothing is selected: the placeholder is shown. */
  readonly value: Value | undefined;
  readonly placeholder?: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  /** Called when the pointer or focus comes near, to preload the effects of a change. */
  readonly onApproach?: () => void;
  readonly className?: string;
  readonly testId?: string;
}

const panel = loadedLater(() => import("./choice-panel"));

/** A list to select one value from. The page contains a plain button; the list's code is loaded when the user is about to open it. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, id, value, placeholder, options, onChange, onApproach, className, testId } = props;
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const list = useId();
  const parts = panel.useModule(open);
  const name = options.find(([one]) => one === value)?.[1];
  const choose = (next: string): void => {
    const known = options.find(([one]) => one === next);
    if (known !== undefined) onChange(known[0]);
  };
  const approach = (): void => {
    panel.start();
    onApproach?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
    } else if (event.key.length === 1) {
      const next = parts?.typedValue(typed.current, event, options, value);
      // A key that no name begins with may be a shortcut of the page.
      if (next === undefined) return;
      event.preventDefault();
      if (next !== value) onChange(next);
    }
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        role="combobox"
        id={id}
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        data-state={open ? "open" : "closed"}
        data-placeholder={name === undefined ? "" : undefined}
        data-testid={testId}
        onPointerEnter={approach}
        onFocus={approach}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        className={cn(
          "flex h-8 min-w-0 items-center justify-between gap-2 rounded-md border border-line2 bg-bg px-2 font-medium normal-nums hover:bg-sunk disabled:opacity-50 data-[placeholder]:text-t3 touch:h-10",
          className,
        )}
      >
        <span className="truncate">{name ?? placeholder}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-t2" />
      </button>
      {open && parts && (
        <parts.ChoicePanel
          id={list}
          trigger={trigger}
          value={value}
          options={options}
          onChange={choose}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
