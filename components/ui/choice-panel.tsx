import { Check } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import { type RefObject, useState } from "react";
import { createPortal } from "react-dom";
import { useNonce } from "@/components/hooks/nonce";

interface ChoicePanelProps<Value extends string> {
  readonly id: string;
  /** The button that opened it. */
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly value: Value | undefined;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: string) => void;
  readonly onClose: () => void;
}

/** The open list of a choice. Loaded when the user is about to open one. */
export function ChoicePanel<Value extends string>(props: ChoicePanelProps<Value>) {
  const { id, trigger, value, options, onChange, onClose } = props;
  const nonce = useNonce();
  return (
    <Primitive.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      value={value ?? ""}
      onValueChange={onChange}
    >
      <HiddenTrigger trigger={trigger} />
      <Primitive.Portal>
        <Primitive.Content
          id={id}
          position="popper"
          sideOffset={4}
          className="floating appear z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus({ preventScroll: true });
          }}
        >
          <Primitive.Viewport className="p-1" {...(nonce !== undefined && { nonce })}>
            {options.map(([one, name]) => (
              <Primitive.Item
                key={one}
                value={one}
                className="relative flex min-h-7 items-center gap-2 rounded-sm py-1 pr-2 pl-7 normal-nums outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunk dark:data-[highlighted]:bg-line touch:min-h-10"
              >
                <Primitive.ItemIndicator className="absolute left-2">
                  <Check aria-hidden className="size-3.5" />
                </Primitive.ItemIndicator>
                <Primitive.ItemText>{name}</Primitive.ItemText>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Invisible trigger over the button, because the list is positioned only at its own trigger. Nothing scrolls while it is open. */
function HiddenTrigger({ trigger }: Pick<ChoicePanelProps<string>, "trigger">) {
  const [box] = useState(() => trigger.current?.getBoundingClientRect());
  const place = { left: box?.left, top: box?.top, width: box?.width, height: box?.height };
  return createPortal(
    <Primitive.Trigger asChild>
      <span aria-hidden className="pointer-events-none invisible fixed" style={place} />
    </Primitive.Trigger>,
    document.body,
  );
}

/** Letters within this time of each other form one prefix. */
const TYPING_MS = 1000;

/** The value that a key selects in a closed list, together with the keys typed just before; `undefined` if the key is not for the list. */
export function typedValue<Value extends string>(
  typed: { text: string; at: number },
  { key, timeStamp }: { readonly key: string; readonly timeStamp: number },
  options: readonly (readonly [Value, string])[],
  value: Value | undefined,
): Value | undefined {
  const before = timeStamp - typed.at < TYPING_MS ? typed.text : "";
  // No name begins with a space: the key opens the list.
  const next = key === " " && before === "" ? undefined : nextNamed(options, value, before + key);
  if (next !== undefined) Object.assign(typed, { text: before + key, at: timeStamp });
  return next;
}

/**
 * The value whose name begins with the typed prefix: the selected one while it matches, else the next match, wrapping around. A repeated letter
 * selects the next value with that letter.
 */
export function nextNamed<Value extends string>(
  options: readonly (readonly [Value, string])[],
  value: Value | undefined,
  typed: string,
): Value | undefined {
  const [first = ""] = typed;
  const isOneLetter = typed === first.repeat(typed.length);
  const beginning = (isOneLetter ? first : typed).toLowerCase();
  const from = options.findIndex(([one]) => one === value) + (isOneLetter ? 1 : 0);
  const inTurn = [...options.slice(Math.max(0, from)), ...options.slice(0, Math.max(0, from))];
  return inTurn.find(([, name]) => name.toLowerCase().startsWith(beginning))?.[0];
}
