import { useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";

interface ClippedLineProps {
  /** Stands before the text. It is short and may change while a slider moves. */
  readonly lead: string;
  readonly text: string;
}

/** Shows two lines of small text, and the rest on demand. A button does that, since touch and keyboard cannot hover. */
export function ClippedLine({ lead, text }: ClippedLineProps) {
  const t = useTranslations("replay.panel");
  const line = useRef<HTMLParagraphElement>(null);
  const [isClipped, setClipped] = useState(false);
  const [open, setOpen] = useState(false);
  // Measured when the text changes, not at every step of a slider: measuring costs a layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the text changes
  useLayoutEffect(() => {
    const { current } = line;
    setOpen(false);
    if (current !== null) setClipped(current.scrollHeight > current.clientHeight + 1);
  }, [text]);
  return (
    <div className="relative text-xs text-t3 normal-nums">
      <p ref={line} className={cn(!open && "line-clamp-2")}>
        {lead} {text}
      </p>
      {isClipped && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={cn(
            "rounded-sm text-t2 underline",
            // On touch screens the pressable area exceeds the word; nothing else lies below it. The text fades out before it.
            open
              ? "touch:min-h-6"
              : "absolute right-0 bottom-0 bg-bg pl-1 max-lg:bg-panel before:absolute before:-inset-2 after:pointer-events-none after:absolute after:inset-y-0 after:right-full after:w-8 after:bg-linear-to-r after:from-transparent after:to-bg max-lg:after:to-panel",
          )}
        >
          {open ? t("less") : t("more")}
        </button>
      )}
    </div>
  );
}
