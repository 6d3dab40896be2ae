import { memo, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useCopy } from "@/components/hooks/use-copy";
import { useMediaQuery } from "@/components/hooks/use-media-query";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Tooltip } from "@/components/ui/tooltip";
import { fromProject } from "../items/preview";
import { useSession } from "../state/stores";
import { colouredRows, type DiffRow, diffRows, type Side, unified } from "./diff-rows";
import { type ChangedLine, type FileChange, shownChanges } from "./file-changes";
import { useGradually } from "./limits";
import { languageOf } from "./reading";

/** Number of lines in a part, which is rendered in one frame; and number of parts that each press for more adds. */
const PART_LINES = 300;
const MORE_PARTS = 5;

/** A call's changes, file by file: a bounded number of lines, whatever the number of files, and more on request. */
export function Changes({ changes }: { readonly changes: readonly FileChange[] }) {
  const t = useTranslations("session.reading");
  const format = useFormat();
  const [wanted, setWanted] = useState(1);
  const drawn = useGradually(wanted);
  const { shown, left } = shownChanges(changes, drawn * PART_LINES);
  return (
    <div className="flex flex-col gap-2">
      {shown.map(({ change, lines }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a patch may name a file twice
        <Change key={index} change={change} lines={lines} />
      ))}
      {left > 0 && (
        <Button variant="ghost" className="self-start" onClick={() => setWanted(wanted + MORE_PARTS)}>
          {t("moreLines", { count: format.count(left) })}
        </Button>
      )}
    </div>
  );
}

interface ChangeProps {
  readonly change: FileChange;
  /** Number of its lines that are shown. */
  readonly lines: number;
}

const Change = memo(function Change({ change, lines: shown }: ChangeProps) {
  const isWide = useMediaQuery("(min-width: 90rem)");
  const lines = change.lines.slice(0, shown);
  // One column is enough if no row has two sides.
  const isSplit = isWide && lines.some(({ sign }) => sign === "-") && lines.some(({ sign }) => sign === "+");
  return (
    <section className="overflow-hidden rounded-md border border-line" data-testid="diff">
      <ChangeHead change={change} />
      <div className="font-mono text-sm" data-layout={isSplit ? "split" : "unified"}>
        {Array.from({ length: Math.ceil(shown / PART_LINES) }, (_, part) => (
          <Lines
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity beyond their place
            key={part}
            change={change}
            from={part * PART_LINES}
            to={Math.min(shown, (part + 1) * PART_LINES)}
            isSplit={isSplit}
          />
        ))}
      </div>
    </section>
  );
});

interface LinesProps {
  readonly change: FileChange;
  readonly from: number;
  readonly to: number;
  readonly isSplit: boolean;
}

/** Some lines of a change; lines that are already rendered stay while others are added. */
const Lines = memo(function Lines({ change, from, to, isSplit }: LinesProps) {
  const rows = colouredRows(diffRows(change.lines.slice(from, to)), languageOf(change.path));
  // An edit does not record where in the file its lines are; a whole file begins with line 1.
  return isSplit ? <Split rows={rows} /> : <Unified rows={rows} first={change.what === "added" ? from + 1 : null} />;
});

function ChangeHead({ change: { path, movedTo, what, lines } }: { readonly change: FileChange }) {
  const t = useTranslations("session.reading");
  const format = useFormat();
  const count = (sign: ChangedLine["sign"]): string =>
    format.count(lines.reduce((sum, line) => sum + (line.sign === sign ? 1 : 0), 0));
  return (
    <header className="flex flex-wrap items-baseline gap-x-3 border-b border-line bg-panel px-2 py-0.5 text-sm">
      <Path path={path} />
      {movedTo !== undefined && (
        <span>
          → <Path path={movedTo} />
        </span>
      )}
      <span className="text-t3">{t(`what.${what}`)}</span>
      <span className="ml-auto whitespace-nowrap text-t2">
        {t("lines", { added: count("+"), removed: count("-") })}
      </span>
    </header>
  );
}

/** A file's path relative to the project's folder; a click copies the full path. */
function Path({ path }: { readonly path: string }) {
  const t = useTranslations("session.copy");
  const { project } = useSession(({ summary }) => summary);
  const [copyState, copy] = useCopy();
  const shown = <span className="font-mono break-all text-t1">{fromProject(path, project)}</span>;
  if (path === "") return shown;
  return (
    <>
      <Tooltip content={t("path")}>
        <button type="button" className="min-h-6 rounded-sm text-left hover:underline" onClick={() => copy(path)}>
          {shown}
        </button>
      </Tooltip>
      <span aria-live="polite" className="ml-1 text-t3">
        {copyState && t(copyState)}
      </span>
    </>
  );
}

interface UnifiedProps {
  readonly rows: readonly DiffRow[];
  /** Line number of the first row; `null` if unknown. */
  readonly first: number | null;
}

function Unified({ rows, first }: UnifiedProps) {
  return unified(rows).map((side, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity beyond their place
    <Line key={index} side={side} number={first === null ? undefined : first + index} />
  ));
}

function Split({ rows }: { readonly rows: readonly DiffRow[] }) {
  return rows.map(({ before, after }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity beyond their place
    <div key={index} className="grid grid-cols-2 divide-x divide-line">
      <Line side={before} />
      <Line side={after} />
    </div>
  ));
}

const TONES: Readonly<Record<ChangedLine["sign"], string>> = {
  " ": "",
  "@": "bg-panel text-t3",
  "+": "bg-[color-mix(in_srgb,var(--c-builtin)_12%,transparent)]",
  "-": "bg-[color-mix(in_srgb,var(--danger)_10%,transparent)]",
};
const CHANGED: Readonly<Partial<Record<ChangedLine["sign"], string>>> = {
  "+": "rounded-xs bg-[color-mix(in_srgb,var(--c-builtin)_32%,transparent)]",
  "-": "rounded-xs bg-[color-mix(in_srgb,var(--danger)_24%,transparent)]",
};
/** The words for a sign, for screen readers. */
const SIGN_WORDS = { "+": "added", "-": "removed" } as const;

interface LineProps {
  readonly side: Side | undefined;
  readonly number?: number | undefined;
}

function Line({ side, number }: LineProps) {
  const t = useTranslations("session.reading");
  if (side === undefined) return <div className="bg-sunk" />;
  const { sign, pieces } = side;
  return (
    <div className={cn("flex min-w-0", TONES[sign])}>
      {number !== undefined && (
        <span aria-hidden className="w-10 shrink-0 text-right text-t3 select-none">
          {number}
        </span>
      )}
      <span aria-hidden className="w-5 shrink-0 text-center text-t2 select-none">
        {sign === "@" ? "⋯" : sign}
      </span>
      {(sign === "+" || sign === "-") && <span className="sr-only">{t(`sign.${SIGN_WORDS[sign]}`)}</span>}
      <span className="min-w-0 grow pr-2 break-words whitespace-pre-wrap">
        {pieces.map(({ text, changed, colour }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity beyond their place
          <span key={index} className={cn(changed && CHANGED[sign], colour) || undefined}>
            {text}
          </span>
        ))}
        {pieces.every(({ text }) => text === "") && " "}
      </span>
    </div>
  );
}
