import Link from "next/link";
import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { sessionHref } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { Button } from "@/components/ui/button";
import { agentName } from "@/lib/agents/agents";
import type { InsightsAnswer } from "@/lib/queries/contract/types";
import { sessionsHref } from "./selection";

type Finding = InsightsAnswer["findings"][number];

interface FindingsSectionProps extends Pick<InsightsAnswer, "findings"> {
  /** Called when the user asks to try thresholds of a policy; the address names it. */
  readonly onTry: (policy: string | null) => void;
}

/** The page's first screen: one sentence per finding with its number, how far to trust it, its sessions and the next step. */
export function FindingsSection({ findings, onTry }: FindingsSectionProps) {
  const t = useTranslations("insights.findings");
  return (
    <section aria-labelledby="insights-findings" className="border-b border-line px-4 py-4" data-testid="findings">
      <h2 id="insights-findings" className="pb-2 text-base font-semibold">
        {t("title")}
      </h2>
      {findings.length === 0 ? (
        <p className="text-sm text-t2">{t("none")}</p>
      ) : (
        <ol className="max-w-260 divide-y divide-line rounded-lg border border-line2">
          {findings.map((finding) => (
            <FindingItem key={finding.id} finding={finding} onTry={onTry} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface FindingProps extends Pick<FindingsSectionProps, "onTry"> {
  readonly finding: Finding;
}

function FindingItem({ finding, onTry }: FindingProps) {
  const t = useTranslations("insights.findings");
  const { id, confidence, because, names, largest } = finding;
  return (
    <li className="flex flex-col gap-1 px-4 py-3" data-finding={id} data-confidence={confidence}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="min-w-60 flex-1 text-base" data-testid="finding-sentence">
          <Sentence finding={finding} />
        </p>
        <NextStep finding={finding} onTry={onTry} />
      </div>
      <p className="text-sm text-t2">
        <span className="font-medium" data-testid="finding-confidence">
          {t(`confidence.${confidence}`)}
        </span>
        {t(`because.${because}`)}
      </p>
      {names.length > 0 && <Names finding={finding} />}
      {largest.length > 0 && <Largest finding={finding} />}
    </li>
  );
}

function Sentence({ finding }: { readonly finding: Finding }) {
  const t = useTranslations("insights.findings");
  const format = useFormat();
  const { id, amount, isLeast, tokens, count, outOf, affected, sessions, names, because, next } = finding;
  const cost =
    amount === null
      ? t("unpriced", { tokens: format.sum(tokens ?? 0) })
      : `${isLeast ? "≥\u00a0" : ""}${format.usdListed(amount)}`;
  const b = (chunks: ReactNode) => <strong className="font-semibold">{chunks}</strong>;
  switch (id) {
    case "idle-misses":
      return t.rich("sentence.idle", { cost, count, affected, sessions, b });
    case "fetched-files":
      return t.rich("sentence.files", { cost, count, files: names.length, b });
    case "fetched-commands":
      return t.rich("sentence.commands", { cost, count, commands: names.length, b });
    case "unused-tools":
      return t.rich("sentence.tools", { cost, count, declared: outOf ?? count, b });
    case "unpaid-compactions":
      return t.rich("sentence.unpaid", { cost, count, all: outOf ?? count, b });
    case "read-again":
      return t.rich("sentence.again", { cost, count, affected, sessions, b });
    case "unused-outputs":
      return t.rich("sentence.outputs", { cost, count, affected, sessions, b });
    case "instructions":
      return t.rich("sentence.instructions", { cost, affected, sessions, b });
    case "images":
      return t.rich("sentence.images", { cost, count, affected, sessions, b });
    case "near-limit":
      return t.rich("sentence.near", { count, sessions, b });
    case "threshold":
      return t.rich(because === "untested" ? "sentence.untested" : "sentence.few", {
        ...{ count, sessions, b },
        agent: agentName(next.policy)?.label ?? next.policy ?? "",
      });
  }
}

/** Files or tools, each with its frequency and cost. */
function Names({ finding: { id, names } }: { readonly finding: Finding }) {
  const t = useTranslations("insights.findings");
  const format = useFormat();
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-t2">
      {names.map(({ name, count, usd, tokens }) => (
        <li key={name} className="flex min-w-0 items-baseline gap-1.5" title={name}>
          <code className="truncate text-t1">{isPath(id) ? shortPath(name) : name}</code>
          <span className="shrink-0">
            {id !== "unused-tools" && `${t("times", { count })} · `}
            {usd === null ? t("unpriced", { tokens: format.sum(tokens) }) : format.usdListed(usd)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** True for findings whose names are paths. */
function isPath(id: Finding["id"]): boolean {
  return id === "fetched-files" || id === "read-again";
}

/** The last two parts of a path, which identify it; the title has the full path. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/u).filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : path;
}

/** The sessions with the largest parts. */
function Largest({ finding }: { readonly finding: Finding }) {
  const t = useTranslations("insights.findings");
  const format = useFormat();
  const named = useTitle();
  const { id, largest, affected } = finding;
  const written = (amount: number) =>
    id === "near-limit" || id === "threshold" ? format.percent(amount) : format.usdListed(amount);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-t2">
      <span className="shrink-0">{t("sessions", { count: affected })}</span>
      {largest.map(({ id: session, title, amount }) => (
        <span key={session} className="flex max-w-full min-w-0 items-baseline gap-1.5">
          <Link
            href={tabHref(session, finding)}
            prefetch={false}
            title={named(title)}
            className="max-w-72 min-w-6 truncate py-1 underline underline-offset-2"
          >
            {named(title)}
          </Link>
          {amount !== null && <span className="shrink-0">{written(amount)}</span>}
        </span>
      ))}
    </p>
  );
}

/** A session's page, on the tab that shows the finding. */
function tabHref(session: string, { id, next: { tab } }: Finding): string {
  if (tab === null) return sessionHref(session);
  return `${sessionHref(session)}?tab=${tab}${isPath(id) ? "&by=file" : ""}`;
}

function NextStep({ finding, onTry }: FindingProps) {
  const t = useTranslations("insights.findings.next");
  const search = useSearchParams();
  const { next, largest } = finding;
  const href = nextHref(finding, search);
  if (href === undefined || (next.kind === "tab" && largest.length === 0)) return null;
  return (
    <Button asChild>
      <Link href={href} prefetch={false} {...(next.kind === "advice" && { onClick: () => onTry(next.policy) })}>
        {t(finding.id === "unused-outputs" ? "waste" : (next.tab ?? (next.kind === "advice" ? "advice" : "list")))}
      </Link>
    </Button>
  );
}

function nextHref(finding: Finding, search: URLSearchParams): string | undefined {
  const { next, largest } = finding;
  if (next.kind === "tab") return largest[0] && tabHref(largest[0].id, finding);
  if (next.kind === "list") return sessionsHref(search, { where: next.where ?? "" });
  const address = new URLSearchParams(search);
  if (next.policy !== null && next.policy !== search.get("policy")) {
    address.set("policy", next.policy);
    for (const key of ["preset", "vary"]) address.delete(key);
  }
  return `/insights?${address.toString()}#insights-advice`;
}
