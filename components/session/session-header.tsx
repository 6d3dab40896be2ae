import { Download, Link2, TriangleAlert } from "lucide-react";
import { lazy, type ReactNode, type Ref, Suspense, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { Term } from "@/components/glossary/term";
import { useCopy } from "@/components/hooks/use-copy";
import { useFormatLabel } from "@/components/hooks/use-format-label";
import { Button } from "@/components/ui/button";
import { Chip, KindChip } from "@/components/ui/chip";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
import { loadedLater } from "@/components/ui/overlay";
import { Tooltip } from "@/components/ui/tooltip";
import { agentName } from "@/lib/agents/agents";
import { shownTitle } from "@/lib/core/transcript/title";
import { isServed } from "@/lib/queries/client/client";
import type { SessionAnswer, SessionSummary } from "@/lib/queries/contract/types";
import { inheritedPart } from "@/lib/queries/wire/own-cost";
import type { StoresRef } from "./shared/state/stores";

/** Loaded on demand: few files hold several sessions, and few sessions have relatives. */
const FileSessions = lazy(async () => ({ default: (await import("./file-sessions")).FileSessions }));
const RelatedSessions = lazy(async () => ({ default: (await import("./related-sessions")).RelatedSessions }));

interface SessionHeaderProps {
  readonly answer: SessionAnswer;
  /** True if the session is being written. */
  readonly live: boolean;
  readonly stores: StoresRef;
  /** Ref of the list item that the session page fills with the session's cost; absent if nothing was sent. */
  readonly costPlace: Ref<HTMLLIElement> | undefined;
}

/** The header: agent, title, project, and the line of facts. */
export function SessionHeader({ answer, live, stores, costPlace }: SessionHeaderProps) {
  const t = useTranslations("session");
  const { summary } = answer;
  const written = useTitle();
  const title = summary.title === null ? t("untitled", { file: summary.file }) : written(shownTitle(summary.title));
  return (
    <header className="flex items-start gap-4 px-4 py-2">
      <div className="min-w-0 grow">
        <h1 className="flex items-center gap-2 text-lg font-semibold normal-nums">
          <AgentMark summary={summary} />
          <span className="truncate" title={title}>
            {title}
          </span>
          {answer.sample && <Chip>{t("sample")}</Chip>}
          {summary.numbersOnly && <Chip title={t("numbersOnlyNote")}>{t("numbersOnly")}</Chip>}
          {live && (
            <Chip title={t("liveNote")} data-testid="live">
              {t("live")}
            </Chip>
          )}
          {answer.project !== null && (
            <span className="truncate font-mono text-sm font-normal text-t2 max-md:hidden">{answer.project}</span>
          )}
        </h1>
        <FactsLine answer={answer} costPlace={costPlace} />
      </div>
      {isServed() && (
        <div className="flex shrink-0 items-center gap-2">
          <ExportButton answer={answer} stores={stores} />
          <CopyLink />
        </div>
      )}
    </header>
  );
}

/** The window, its source, and its correction or assumption. */
function WindowFact({ window }: { readonly window: SessionSummary["contextWindow"] }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { source, from, whole, exceeded } = window;
  const tokens = format.count(window.tokens);
  const name =
    whole === undefined
      ? t("fact.window", { tokens })
      : t("fact.windowEffective", { whole: format.count(whole), tokens });
  const note = windowNote(window);
  return (
    <>
      <Term id="window">{name}</Term>
      <span
        title={
          note === undefined
            ? t(`windowSource.${source}`)
            : t(`fact.windowNote.${note}`, { tokens, exceeded: format.count(exceeded ?? 0) })
        }
      >
        <KindChip
          kind={windowKind(source)}
          labelClass="md:max-[72rem]:sr-only"
          label={
            from === undefined
              ? t(`windowSource.${source}`)
              : t("windowFrom", { source: t(`windowSource.${source}`), from })
          }
        />
      </span>
    </>
  );
}

function AgentMark({ summary }: { readonly summary: SessionSummary }) {
  const label = useFormatLabel()(summary.format);
  return (
    <abbr
      title={label}
      className="inline-block h-4 min-w-6 shrink-0 rounded-sm border border-line2 px-0.5 text-center font-mono text-sm leading-[14px] font-medium text-t2 no-underline"
    >
      <span aria-hidden>{agentName(summary.agent)?.mark ?? summary.format.slice(0, 2).toUpperCase()}</span>
      <span className="sr-only">{label}</span>
    </abbr>
  );
}

function FactsLine({ answer, costPlace }: Pick<SessionHeaderProps, "answer" | "costPlace">) {
  const { id, summary, related } = answer;
  const t = useTranslations("session");
  const format = useFormat();
  const facts = sessionFacts(summary);
  const inherited = inheritedPart(answer);
  const label = useFormatLabel()(facts.agent);
  return (
    <ul className="flex items-center gap-x-4 gap-y-1 text-sm text-t2 phone-line md:flex-wrap md:max-[86rem]:gap-x-3">
      <li>{facts.version === null ? label : `${label} ${facts.version}`}</li>
      {facts.models.length > 0 && (
        <li className="max-w-60 truncate normal-nums" title={facts.models.join(", ")}>
          {facts.models[0]}
          {facts.models.length > 1 && t("fact.moreModels", { count: facts.models.length - 1 })}
        </li>
      )}
      <li className="flex items-center gap-1.5">
        <WindowFact window={summary.contextWindow} />
      </li>
      {costPlace !== undefined && (
        <li title={t("fact.requestsNote", { estimated: summary.estimatedSent ?? 0 })}>
          {t("fact.requests", { count: summary.requests + (summary.requestsWithoutUsage ?? 0) })}
          {inherited !== null &&
            t("fact.inherited", {
              count: inherited.requests,
              all: inherited.requests >= summary.requests ? "yes" : "no",
            })}
          {summary.requestsWithoutUsage !== undefined &&
            summary.requestsWithoutUsage > 0 &&
            t("fact.withoutUsage", {
              count: summary.requestsWithoutUsage,
              counted: summary.requests,
            })}
        </li>
      )}
      {facts.durationMs !== null && <li>{format.duration(facts.durationMs)}</li>}
      <li>
        <Term id="boundary">{t("fact.compactions", { count: facts.compactions })}</Term>
      </li>
      {summary.fileSessions != null && (
        <Suspense fallback={<li aria-hidden className="w-40" />}>
          <FileSessions id={id} fileSessions={summary.fileSessions} />
        </Suspense>
      )}
      {related.length > 0 && (
        <Suspense fallback={null}>
          <RelatedSessions related={related} />
        </Suspense>
      )}
      {facts.linesNotRead + facts.oddities > 0 && (
        <li>
          <ProblemsSheet summary={summary}>
            <button type="button" className="flex items-center gap-1 rounded-sm hover:text-t1 touch:h-10">
              <TriangleAlert aria-hidden className="size-3.5" />
              {facts.linesNotRead > 0
                ? t("fact.notRead", { count: facts.linesNotRead })
                : t("fact.oddities", { count: facts.oddities })}
            </button>
          </ProblemsSheet>
        </li>
      )}
      {costPlace !== undefined && <li ref={costPlace} className="empty:h-4 empty:w-32" />}
    </ul>
  );
}

function CopyLink() {
  const t = useTranslations("session.copy");
  const [result, copy] = useCopy();
  return (
    <Tooltip content={t("note")}>
      <Button size="md" onClick={() => copy(location.href)} className="max-md:hidden">
        <Link2 aria-hidden />
        <span aria-live="polite" className="max-[86rem]:sr-only">
          {t(result ?? "copy")}
        </span>
      </Button>
    </Tooltip>
  );
}

/** Facts in the header; absent if the file lacks them. */
interface SessionFactsLine {
  /** The agent's id, or the format's if there is no agent. */
  readonly agent: string;
  readonly version: string | null;
  readonly models: readonly string[];
  readonly durationMs: number | null;
  readonly compactions: number;
  readonly linesNotRead: number;
  /** Other oddities, counted by occurrence. */
  readonly oddities: number;
}

export function sessionFacts(summary: SessionSummary): SessionFactsLine {
  const { startedAt, endedAt } = summary;
  const durationMs = startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
  return {
    agent: summary.agent ?? summary.format,
    version: summary.agentVersion,
    models: summary.models,
    durationMs: durationMs !== null && durationMs > 0 ? durationMs : null,
    compactions: summary.compactions.length,
    linesNotRead: summary.records.damagedTotal,
    oddities: summary.problems.filter(({ code }) => code !== "damaged-line").reduce((sum, { count }) => sum + count, 0),
  };
}

/** Source of the window's size, as the chip next to it states. */
export function windowKind(source: SessionSummary["contextWindow"]["source"]): "measured" | "inferred" | "estimated" {
  if (source === "recorded" || source === "user" || source === "settings") return "measured";
  return source === "default" || source === "assumed" ? "estimated" : "inferred";
}

/** The sentence about a window that is assumed, or that a recorded context corrects; `undefined` if neither is the case. */
function windowNote({ source, exceeded }: SessionSummary["contextWindow"]) {
  if (source === "assumed") return "assumed";
  if (exceeded === undefined) return undefined;
  return source === "inferred" ? "atLeast" : "corrected";
}

const Problems = lazy(async () => ({ default: (await import("./problems")).Problems }));

interface ProblemsSheetProps {
  readonly summary: SessionSummary;
  /** The button that opens the sheet. */
  readonly children: ReactNode;
}

/** A sheet with the unread records and the oddities. */
function ProblemsSheet({ summary, children }: ProblemsSheetProps) {
  const t = useTranslations("session.problems");
  return (
    <Dialog>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription>{t("about")}</DialogDescription>
        <Suspense>
          <Problems summary={summary} />
        </Suspense>
      </DialogContent>
    </Dialog>
  );
}

const form = loadedLater(() => import("./export-form"));

/** Saves the session in another format; with texts only after a preview of the masked secrets. */
function ExportButton({ answer, stores }: Pick<SessionHeaderProps, "answer" | "stores">) {
  const t = useTranslations("session.exporting");
  const [open, setOpen] = useState(false);
  const module = form.useModule(open);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="md" aria-label={t("title")}>
          <Download aria-hidden />
          <span className="max-[86rem]:hidden">{t("open")}</span>
        </Button>
      </DialogTrigger>
      <DialogContent className="flex flex-col" data-testid="export-dialog">
        <DialogTitle>{t("title")}</DialogTitle>
        <DialogDescription className="text-sm">{t("note")}</DialogDescription>
        {open && module !== undefined && (
          <module.ExportFormat answer={answer} stores={stores} onDone={() => setOpen(false)} />
        )}
      </DialogContent>
    </Dialog>
  );
}
