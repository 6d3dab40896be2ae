import { useId } from "react";
import { cn } from "@/components/ui/cn";

interface PrintedTextProps {
  readonly title: string;
  readonly text: string;
  readonly className?: string;
  readonly testId: string;
}

/** A report as an agent prints it in a terminal, under a heading of its own. */
export function PrintedText({ title, text, className, testId }: PrintedTextProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn("min-w-0", className)}>
      <h2 id={id} className="pb-1 font-semibold">
        {title}
      </h2>
      <pre
        // The keyboard has to be able to scroll a wide or long text too.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region takes the focus
        tabIndex={0}
        className="max-h-120 overflow-auto rounded-md border border-line bg-sunk p-3 font-mono text-xs leading-5"
        data-testid={testId}
      >
        {text}
      </pre>
    </section>
  );
}
