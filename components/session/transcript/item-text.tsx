import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import type { ItemText } from "@/lib/api/types";
import { type AnsiSpan, ansiSpans } from "./ansi";
import { useWholeText } from "./use-whole-text";

/** How many characters of an opened item are shown at first. */
const CLIP_CHARS = 4_000;

interface OpenedTextProps {
  readonly item: number;
  readonly text: ItemText;
  readonly bytes: number;
}

/** The full text of an item: as text, never as markup. Terminal colours become spans; long texts are clipped. */
export function OpenedText({ item, text, bytes }: OpenedTextProps) {
  const t = useTranslations("session.transcript");
  const format = useFormat();
  const [whole, setWhole] = useState(false);
  const rest = useWholeText(item, whole && text.truncated > 0);
  const known = rest.data?.text ?? text.text;
  const clipped = !whole && (text.truncated > 0 || known.length > CLIP_CHARS);
  const shown = clipped ? known.slice(0, CLIP_CHARS) : known;
  return (
    <div className="pr-4 pb-2 pl-4 md:pl-54">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        className="max-h-120 overflow-auto font-mono text-sm break-words whitespace-pre-wrap text-t1"
        data-testid="item-text"
      >
        {ansiSpans(shown).map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity beyond their place
          <Span key={index} span={span} />
        ))}
      </pre>
      {clipped && (
        <Button variant="ghost" onClick={() => setWhole(true)} className="mt-1 -ml-2">
          {t("showAll", { size: format.bytes(bytes) })}
        </Button>
      )}
      {rest.isFetching && <p className="mt-1 text-xs text-t3">{t("loadingRest")}</p>}
      {rest.isError && <p className="mt-1 text-xs text-danger">{t("textFailed")}</p>}
    </div>
  );
}

/** The eight terminal colours in our palette, readable in both themes. */
const COLOURS = [
  "text-t3",
  "text-danger",
  "text-[color-mix(in_srgb,var(--c-builtin)_75%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--c-mcp)_60%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--c-assistant)_70%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--c-skills)_75%,var(--t1))]",
  "text-[color-mix(in_srgb,var(--policy-e)_75%,var(--t1))]",
  "text-t1",
] as const;

function Span({ span }: { readonly span: AnsiSpan }) {
  const classes = [
    span.colour === undefined ? "" : COLOURS[span.colour],
    span.bold === true ? "font-semibold" : "",
    span.dim === true ? "opacity-70" : "",
  ].join(" ");
  return classes.trim() === "" ? span.text : <span className={classes}>{span.text}</span>;
}
