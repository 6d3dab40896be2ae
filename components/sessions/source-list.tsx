import { useMutation } from "@tanstack/react-query";
import { Check, Database, RotateCw, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "use-intl";
import { sessionHref } from "@/components/format/relation";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { request } from "@/lib/queries/client/client";
import type { SourceEntry, SourcesAnswer } from "@/lib/queries/contract/types";
import { isEmptyOwn, missingSources, SourceLabel, SourcePaths } from "./source-parts";

/** Every searched folder, found or not, other readable stores, and the source of the prices. */
export function SourceList({ sources, settings, prices }: SourcesAnswer) {
  const t = useTranslations("sessions.sources");
  const missing = missingSources(sources);
  return (
    <>
      <ul>
        {sources
          .filter((source) => source.found && source.store === null && !isEmptyOwn(source))
          .map((source) => (
            <li key={source.id} className="flex items-start gap-2 px-1 py-1 text-sm">
              <Check aria-hidden className="mt-0.5 size-3 shrink-0 text-t2" />
              <SourceName source={source} />
              <span className="grow text-right whitespace-nowrap text-t2">
                {t("sessions", { count: source.sessions - source.failedTotal })}
                {source.failedTotal > 0 && t("notRead", { count: source.failedTotal })}
              </span>
            </li>
          ))}
      </ul>
      <SourceProblems sources={sources} />
      <Stores sources={sources} />
      {missing.length > 0 && (
        <>
          <h2 className="mt-2 border-t border-line px-1 pt-2 text-xs text-t3">
            {t("notFoundHeading", { count: missing.length })}
          </h2>
          <div className="px-1">
            <SourcePaths sources={missing} />
          </div>
        </>
      )}
      {settings.length > 0 && <SettingsFiles settings={settings} />}
      <IndexAgain />
      {prices !== null && <OwnPrices {...prices} />}
    </>
  );
}

/** The agents' own settings files: their known settings, and one line for each error. */
function SettingsFiles({ settings }: Pick<SourcesAnswer, "settings">) {
  const t = useTranslations("sessions.sources.settings");
  return (
    <section
      aria-labelledby="agent-settings"
      className="mt-2 border-t border-line px-1 pt-2"
      data-testid="agent-settings"
    >
      <h2 id="agent-settings" className="text-xs text-t3">
        {t("label")}
      </h2>
      <ul>
        {settings.map(({ agent, path, states, problems }) => (
          <li key={path} className="py-0.5 text-sm">
            {agent} <code className="text-xs break-all text-t3">{path}</code>
            {problems.map((problem) => (
              <span key={problem} className="flex items-start gap-2 text-t2">
                <TriangleAlert aria-hidden className={`${ICON} text-danger`} />
                {problem}
              </span>
            ))}
            {states.map(({ name, value, line }) => (
              <span key={`${name} ${line}`} className="block text-t2">
                {t("stated", { name, value, line })}
              </span>
            ))}
            {problems.length + states.length === 0 && <span className="block text-t3">{t("none")}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** State of the user's own list of prices. */
function OwnPrices({ name, problem }: NonNullable<SourcesAnswer["prices"]>) {
  const t = useTranslations("sessions.sources.prices");
  return (
    <section className="mt-2 border-t border-line px-1 pt-2 text-sm" data-testid="own-prices">
      <h2 className="text-xs text-t3">{t("own")}</h2>
      <code>{name}</code>{" "}
      <span className={problem === null ? "text-t2" : "text-danger"}>
        {problem === null ? t("inForce") : t("problem", { problem })}
      </span>
    </section>
  );
}

/** Stores of sessions that are not read here, and commands to export a session from each. */
function Stores({ sources }: { readonly sources: readonly SourceEntry[] }) {
  const t = useTranslations("sessions.sources");
  const stores = sources.filter((source) => source.store !== null);
  if (stores.length === 0) return null;
  return (
    <section aria-labelledby="session-stores" className="mt-2 border-t border-line px-1 pt-2">
      <h2 id="session-stores" className="text-xs text-t3">
        {t("stores")}
      </h2>
      <ul>
        {stores.map((source) => (
          <li key={source.id} className="flex items-start gap-2 py-1 text-sm">
            <Database aria-hidden className="mt-0.5 size-3 shrink-0 text-t2" />
            <span className="min-w-0">
              <SourceName source={source} />
              {source.store?.exportCommand != null && (
                <span className="mt-0.5 block text-xs text-t2">
                  {t("export")} <code className="break-all text-t1">{source.store.exportCommand}</code>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceName({ source }: { readonly source: SourceEntry }) {
  return (
    <span className="min-w-0">
      <SourceLabel source={source} />
      {source.path !== source.label && <code className="block text-xs break-all text-t3">{source.path}</code>}
    </span>
  );
}

/** Makes the server read every file again. */
function IndexAgain() {
  const t = useTranslations("sessions.sources");
  const errorText = useErrorText();
  const again = useMutation({ mutationFn: () => request("steerIndexing", { body: { action: "again" } }) });
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 border-t border-line px-1 pt-2">
      <Button onClick={() => again.mutate()} disabled={again.isPending}>
        <RotateCw aria-hidden />
        {t("again")}
      </Button>
      <span className="text-xs text-t3" role="status">
        {again.isError ? errorText(again.error) : again.isSuccess ? t("againBegun") : t("againNote")}
      </span>
    </div>
  );
}

interface SourceProblemsProps {
  readonly sources: readonly SourceEntry[];
}

/** Unreadable folders and files, a line each. */
function SourceProblems({ sources }: SourceProblemsProps) {
  const t = useTranslations("sessions.sources");
  const concerned = sources.filter(({ problemsTotal, failedTotal }) => problemsTotal + failedTotal > 0);
  if (concerned.length === 0) return null;
  return (
    <section
      aria-labelledby="source-problems"
      className="mt-2 border-t border-line px-1 pt-2"
      data-testid="source-problems"
    >
      <h2 id="source-problems" className="text-xs text-t3">
        {t("problems")}
      </h2>
      {concerned.map((source) => (
        <ProblemsOf key={source.id} source={source} />
      ))}
    </section>
  );
}

function ProblemsOf({ source }: { readonly source: SourceEntry }) {
  const t = useTranslations("sessions.sources");
  const tr = useTranslations("sessions.row.reason");
  const { label, problems, problemsTotal, failed, failedTotal } = source;
  const unlisted = problemsTotal - problems.length + failedTotal - failed.length;
  return (
    <ul className="py-0.5 text-sm text-t2">
      {problems.map(({ code, path }) => (
        <li key={`${code} ${path}`} className="flex items-start gap-2 py-0.5">
          <TriangleAlert aria-hidden className={code === "outside" ? ICON : `${ICON} text-danger`} />
          <span className="min-w-0">
            {/* A path that cannot be written is not a searched place. */}
            {code !== "unwritten" && (
              <code className="break-all text-t1">{[label, path].filter(Boolean).join("/")}</code>
            )}{" "}
            {t(`problem.${code}`)}
          </span>
        </li>
      ))}
      {failed.map(({ id, name, reason, program = "" }) => (
        <li key={id} className="flex items-start gap-2 py-0.5">
          <TriangleAlert aria-hidden className={ICON} />
          <span className="min-w-0">
            <Link
              href={sessionHref(id)}
              prefetch={false}
              className="break-all text-t1 underline decoration-line2 underline-offset-2 hover:decoration-t1"
            >
              {name}
            </Link>{" "}
            {tr(reason, { program })}
          </span>
        </li>
      ))}
      {unlisted > 0 && <li className="py-0.5 pl-5 text-t3">{t("moreProblems", { count: unlisted })}</li>}
    </ul>
  );
}

const ICON = "mt-0.5 size-3 shrink-0";
