"use client";

import { useState } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/replay/use-words";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { BoundaryIcon } from "../transcript/item-icon";
import { Bars } from "./bars";
import { BoundaryDetails } from "./boundary-details";
import { type BoundaryEntry, boundaryEntries, chosenEntry } from "./entries";
import { ResumeLine } from "./resume-line";

/** Every compaction, recorded and simulated, and what the chosen one did. */
export function Boundaries() {
  const t = useTranslations("session.boundary");
  const words = usePolicyWords();
  const { recorded } = useRecorded();
  const { simulated, choice } = useReplay();
  const { pin } = useCursor();
  const [asked, setAsked] = useState<string | null>(null);
  const entries = boundaryEntries(recorded.compactions, choice.policy.id === "recorded" ? [] : simulated.compactions);
  const chosen = chosenEntry(entries, asked, pin);
  if (chosen === undefined) {
    return (
      <>
        <ResumeLine />
        <Notice title={t("noneTitle")} body={t("noneBody")} />
      </>
    );
  }
  const most = Math.max(...entries.map(({ compaction }) => compaction.tokensBefore), 1);
  const policy = words.policy(choice.policy);
  return (
    <div className="grid min-h-full lg:grid-cols-[296px_1fr]">
      <BandDefs />
      <nav aria-label={t("list")} className="border-line lg:border-r">
        {/* Policies that clear at every request list hundreds: on a phone the details below must not be out of reach. */}
        <div className="max-lg:max-h-[45dvh] max-lg:overflow-y-auto max-lg:overscroll-contain max-lg:border-b max-lg:border-line">
          {(["recorded", "simulated"] as const).map((kind) => {
            const listed = entries.filter((entry) => entry.kind === kind);
            return (
              <section key={kind}>
                <h2 className="px-4 pt-3 pb-1 text-sm text-t2">
                  {kind === "recorded"
                    ? t("recordedCount", { count: listed.length })
                    : t("simulatedCount", { count: listed.length, policy })}
                </h2>
                <ul>
                  {listed.map((entry) => (
                    <li key={entry.key}>
                      <Entry
                        entry={entry}
                        most={most}
                        chosen={entry.key === chosen.key}
                        onChoose={() => setAsked(entry.key)}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </div>
        <ResumeLine />
      </nav>
      <BoundaryDetails entry={chosen} policy={policy} />
    </div>
  );
}

interface EntryProps {
  readonly entry: BoundaryEntry;
  /** Largest context before any of them: all bars share its scale. */
  readonly most: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Entry({ entry, most, chosen, onChoose }: EntryProps) {
  const t = useTranslations("session.boundary");
  const format = useFormat();
  const { compaction, kind } = entry;
  const share = compaction.tokensBefore > 0 ? compaction.tokensAfter / compaction.tokensBefore - 1 : 0;
  return (
    <button
      type="button"
      aria-current={chosen}
      data-boundary-entry={kind}
      onClick={onChoose}
      className={cn(
        "flex w-full gap-3 border-b border-l-2 border-b-line border-l-transparent px-4 py-2 text-left hover:bg-sunk",
        chosen && "border-l-accent bg-sunk",
      )}
    >
      <BoundaryIcon className={cn("mt-1 size-3.5", kind === "simulated" ? "text-accent" : "text-t1")} />
      <span className="min-w-0 grow">
        <span className="flex justify-between gap-2">
          <span className="inline-block font-medium first-letter:uppercase">{t(`trigger.${compaction.trigger}`)}</span>
          <span className="text-sm text-t2">{t("request", { request: compaction.request })}</span>
        </span>
        <span className="flex justify-between gap-2 text-sm text-t2">
          <span>
            {format.count(compaction.tokensBefore)} → {format.count(compaction.tokensAfter)}
          </span>
          <span>{format.change(share)}</span>
        </span>
        <Bars compaction={compaction} most={most} simulated={kind === "simulated"} />
      </span>
    </button>
  );
}
