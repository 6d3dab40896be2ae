import { type ReactNode, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { bandPaint } from "@/components/charts/band-paint";
import { linearScale, ticks } from "@/components/charts/scale";
import { textWidth } from "@/components/charts/text-width";
import { useSize } from "@/components/charts/use-size";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import type { BoundaryItem, BoundaryParts, ItemState } from "@/lib/core/compaction/boundary-items";
import { comparableBefore } from "@/lib/core/compaction/simulation/simulated-compaction";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { type BoundaryEntry, sizeAfter } from "../../shared/boundaries/entries";
import { useBoundaryName } from "../../shared/boundaries/flags";
import { shownWindow } from "../../shared/state/replay-choice";
import { useReplay, useSession } from "../../shared/state/stores";
import { drawnBlocks, type FateBlock, type FateLink, fatesOf } from "./fates";
import { RoomLine } from "./room-line";

const BLOCK = 44;
const GAP = 32;
const AFTER = BLOCK + GAP;
/** Both contexts, and space for the axis and for the mark below added items. */
const HEIGHT = AFTER + BLOCK + 26;
/** Height of the stripe in the category's colour, at the top of a patterned block. */
const CAP = 6;
/** Scales the known text widths at 11 px to text of 12 px, slightly rounded up. */
const TEXT_SCALE = 1.2;

const plain = (text: string): string => text;
const strong = (text: ReactNode): ReactNode => <strong className="font-semibold text-t1">{text}</strong>;
const strongInChart = (text: ReactNode): ReactNode => <tspan className="fill-t1 font-semibold">{text}</tspan>;

interface FateStripProps {
  readonly entry: BoundaryEntry;
  readonly parts: BoundaryParts;
}

/** The context before and after a boundary by the same count, as blocks sized by tokens. Links connect kept blocks. */
export function FateStrip({ entry, parts }: FateStripProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { columns, summary } = useSession("columns", "summary");
  const { choice } = useReplay("choice");
  const { compaction, kind } = entry;
  const [ref, { width }] = useSize<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const nameOf = useBoundaryName();
  const kinds = useTranslations("common.kind");
  const tokensBefore = comparableBefore(compaction);
  const after = sizeAfter(compaction, columns);
  const fates = useMemo(() => {
    const { addedAt = "front", entering = 0 } = compaction;
    const categoryOf = ({ item, synthetic }: BoundaryItem) =>
      synthetic?.category ?? categoryOfCode(columns.category[item] ?? -1);
    return fatesOf({ ...parts, categoryOf, tokensBefore, tokensAfter: after ?? 0, addedAt, entering });
  }, [compaction, tokensBefore, after, columns, parts]);
  // A simulated compaction happens in the window of the replay.
  const window = kind === "simulated" ? shownWindow(choice, summary) : summary.contextWindow.tokens;
  const whole = Math.max(window, endOf(fates.before), endOf(fates.after), 1);
  const x = linearScale([0, whole], [0, Math.max(1, width - 1)]);
  const size = (count: number) => ({ tokens: format.count(count), share: format.percent(count / window, 1) });
  const beforeWords = (b: typeof strong) => t.rich("beforeSize", { ...size(tokensBefore), b });
  const afterWords = (b: typeof strong) =>
    after === null ? t.rich("afterUnknown", { b }) : t.rich("afterSize", { ...size(after), b });
  const before = t.markup("beforeSize", { ...size(tokensBefore), b: plain });
  const afterText =
    after === null ? t.markup("afterUnknown", { b: plain }) : t.markup("afterSize", { ...size(after), b: plain });
  // The size of the context after is written inside the free part of its bar if there is space.
  const afterFrom = x.px(endOf(fates.after)) + 12;
  const isInside = afterFrom + textWidth(afterText) * TEXT_SCALE < width;
  return (
    <figure ref={figure} className="mt-5" data-testid="fates">
      <FateDefs />
      <figcaption className="mb-1 flex flex-wrap gap-x-6 text-sm text-t2">
        <span className="grow">{beforeWords(strong)}</span>
        {!isInside && <span>{afterWords(strong)}</span>}
        <ExportMenu
          name={t("heading", { kind: nameOf(entry), request: compaction.request })}
          note={kinds(kind)}
          image={figure}
          isSmall
        />
      </figcaption>
      <div ref={ref} style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg role="img" aria-label={`${before}. ${afterText}.`} width={width} height={HEIGHT} className="block">
            <Links links={fates.links} px={x.px} />
            <Context blocks={fates.before} y={0} px={x.px} whole={whole} />
            <Context blocks={fates.after} y={AFTER} px={x.px} whole={whole} />
            {isInside && (
              <text x={afterFrom} y={AFTER + BLOCK / 2 + 4} className="fill-t2 text-sm">
                {afterWords(strongInChart)}
              </text>
            )}
            <Added blocks={fates.after} px={x.px} simulated={kind === "simulated"} />
            {ticks([0, whole], Math.max(2, Math.floor(width / 110))).map((tick) => (
              <text
                key={tick}
                x={x.px(tick)}
                y={HEIGHT - 4}
                textAnchor={tick === 0 ? "start" : x.px(tick) > width - 20 ? "end" : "middle"}
                className="fill-t2 text-xs"
              >
                {format.short(tick)}
              </text>
            ))}
          </svg>
        )}
      </div>
      <RoomLine entry={entry} />
      <p className="mt-1 text-sm text-t3">{t("fatesNote")}</p>
    </figure>
  );
}

function endOf(blocks: readonly FateBlock[]): number {
  const last = blocks.at(-1);
  return last === undefined ? 0 : last.from + last.tokens;
}

type Px = (tokens: number) => number;

function Context({
  blocks,
  y,
  px,
  whole,
}: {
  readonly blocks: readonly FateBlock[];
  readonly y: number;
  readonly px: Px;
  readonly whole: number;
}) {
  const end = px(endOf(blocks));
  const least = whole / Math.max(1, px(whole));
  return (
    <g>
      {px(whole) - end > 2 && (
        <rect
          x={end}
          y={y + 0.5}
          width={px(whole) - end}
          height={BLOCK - 1}
          fill="none"
          stroke="var(--line2)"
          strokeDasharray="3 2"
        />
      )}
      {drawnBlocks(blocks, least).map((one) => (
        <Block key={one.from} block={one} y={y} px={px} />
      ))}
    </g>
  );
}

/** A block: plain if it was kept; otherwise a pattern with a stripe in the block's own colour. */
function Block({ block, y, px }: { readonly block: FateBlock; readonly y: number; readonly px: Px }) {
  const { band, fate, from, tokens, stays } = block;
  const start = px(from);
  const end = px(from + tokens);
  const paint = band === undefined ? "var(--line2)" : bandPaint(band);
  // A line between neighbouring blocks, if there is room.
  const gap = end - start > 3 ? 1 : 0;
  const went = fate === "dropped" || fate === "cleared" ? start : fate === "truncated" ? px(from + stays) : end;
  return (
    <g data-fate={fate}>
      {went > start && <rect x={start} y={y} width={Math.max(0, went - start - gap)} height={BLOCK} fill={paint} />}
      {went < end && (
        <>
          <rect
            x={went}
            y={y}
            width={Math.max(0, end - went - gap)}
            height={BLOCK}
            fill={fate === "cleared" ? "url(#fate-cleared)" : "url(#fate-dropped)"}
          />
          <rect x={went} y={y} width={Math.max(0, end - went - gap)} height={CAP} fill={paint} />
          {fate === "truncated" && end - start > 6 && <path d={tear(went, y)} className="fill-none stroke-t1" />}
        </>
      )}
    </g>
  );
}

/** The torn edge of a truncated block. */
function tear(x: number, y: number): string {
  const points = Array.from(
    { length: 9 },
    (_, index) => `${x + (index % 2 === 0 ? -2 : 2)} ${y + (index * BLOCK) / 8}`,
  );
  return `M${points.join("L")}`;
}

function Links({ links, px }: { readonly links: readonly FateLink[]; readonly px: Px }) {
  const d = links
    .map(
      ({ before: [a, b], after: [c, e] }) =>
        `M${px(a)} ${BLOCK}L${px(b)} ${BLOCK}L${px(e)} ${AFTER}L${px(c)} ${AFTER}Z`,
    )
    .join("");
  return <path d={d} className="fill-sunk stroke-line" strokeWidth="0.5" />;
}

/** A line below the items that the compaction added. */
function Added({
  blocks,
  px,
  simulated,
}: {
  readonly blocks: readonly FateBlock[];
  readonly px: Px;
  readonly simulated: boolean;
}) {
  return blocks
    .filter(({ fate, tokens }) => fate === "added" && tokens > 0)
    .map(({ from, tokens }) => (
      <rect
        key={from}
        x={px(from)}
        y={AFTER + BLOCK + 2}
        width={Math.max(2, px(from + tokens) - px(from))}
        height="3"
        className={simulated ? "fill-accent" : "fill-t1"}
      />
    ));
}

/** Patterns: hatched for dropped or truncated, dotted for replaced by a placeholder. */
function FateDefs() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        <pattern id="fate-dropped" width="6" height="6" patternUnits="userSpaceOnUse">
          <rect width="6" height="6" fill="var(--sunk)" />
          <path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="var(--line2)" strokeWidth="1" />
        </pattern>
        <pattern id="fate-cleared" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" fill="var(--bg)" />
          <circle cx="2.5" cy="2.5" r="0.9" fill="var(--t3)" />
        </pattern>
      </defs>
    </svg>
  );
}

/** The legend's square for a fate. */
export function FateSwatch({ fate }: { readonly fate: ItemState }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0">
      {(fate === "kept" || fate === "entered") && <rect width="10" height="10" className="fill-c-assistant" />}
      {(fate === "dropped" || fate === "cleared") && (
        <rect width="10" height="10" fill={`url(#fate-${fate})`} stroke="var(--line2)" />
      )}
      {fate === "truncated" && (
        <>
          <rect width="10" height="10" fill="url(#fate-dropped)" />
          <rect width="5" height="10" className="fill-c-assistant" />
        </>
      )}
      {fate === "added" && (
        <>
          <rect width="10" height="6" className="fill-c-summary" />
          <rect y="7.5" width="10" height="2.5" className="fill-t1" />
        </>
      )}
    </svg>
  );
}
