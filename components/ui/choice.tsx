import { Check, ChevronDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import { useNonce } from "@/components/hooks/nonce";
import { cn } from "./cn";

interface ChoiceProps<Value extends string> {
  /** Its name, where no label with its `id` gives it one. */
  readonly label?: string;
  readonly id?: string;
  /** `undefined` where nothing is chosen: the placeholder is shown. */
  readonly value: Value | undefined;
  readonly placeholder?: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  readonly className?: string;
  readonly testId?: string;
}

/** A list to choose one value from. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, id, value, placeholder, options, onChange, className, testId } = props;
  const nonce = useNonce();
  return (
    <Primitive.Root
      // An unset value becomes "", so that the select stays controlled and shows its placeholder.
      value={value ?? ""}
      onValueChange={(next) => {
        const known = options.find(([one]) => one === next);
        if (known !== undefined) onChange(known[0]);
      }}
    >
      <Primitive.Trigger
        id={id}
        aria-label={label}
        data-testid={testId}
        className={cn(
          "flex h-8 min-w-0 items-center justify-between gap-2 rounded-md border border-line2 bg-bg px-2 font-medium normal-nums hover:bg-sunk disabled:opacity-50 data-[placeholder]:text-t3 touch:h-10 [&>span]:truncate",
          className,
        )}
      >
        <Primitive.Value placeholder={placeholder} />
        <Primitive.Icon asChild>
          <ChevronDown aria-hidden className="size-3.5 shrink-0 text-t2" />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className="floating appear z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden"
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
