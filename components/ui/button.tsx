import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const buttonVariants = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border whitespace-nowrap font-medium select-none disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        outline: "border-line2 bg-bg text-t1 hover:bg-sunk data-[state=open]:bg-sunk",
        primary: "border-t1 bg-t1 text-bg hover:opacity-90",
        ghost:
          "border-transparent text-t2 hover:bg-sunk hover:text-t1 data-[state=open]:bg-sunk data-[state=open]:text-t1",
      },
      size: {
        sm: "h-7 px-2 text-sm touch:h-10 touch:px-3",
        md: "h-8 px-3 text-base touch:h-10",
        tiny: "size-6 touch:size-10",
        icon: "size-7 touch:size-10 [&_svg]:size-4",
      },
    },
    defaultVariants: { variant: "outline", size: "sm" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonVariants> {
  /** Gives the button's look to the only child (a link, a label) instead of rendering a button. */
  readonly asChild?: boolean;
}

/** The button that all pages use. An `icon` button needs an `aria-label`. */
export function Button({ className, variant, size, asChild = false, type = "button", ...props }: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  return asChild ? <Slot.Root className={classes} {...props} /> : <button type={type} className={classes} {...props} />;
}
