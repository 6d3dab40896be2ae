import { Check, Database } from "lucide-react";
import { useTranslations } from "use-intl";
import type { SourceEntry, SourcesAnswer } from "@/lib/api/types";
import { IndexAgain } from "./index-again";
import { isEmptyOwn, missingSources, SourceLabel, SourcePaths } from "./source-parts";
import { SourceProblems } from "./source-problems";

/** Every folder that was searched, found or not, what else there is to read, and whose prices are in force. */
export function SourceList({ sources, prices }: SourcesAnswer) {
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
                {t("sessions", { count: source.sessions })}
              </span>
            </li>
          ))}
      </ul>
      <SourceProblems sources={sources} />
      <Stores sources={sources} />
      {missing.length > 0 && (
        <>
          <h2 className="mt-2 border-t border-line px-1 pt-2 text-xs text-t3">{t("notFoundHeading")}</h2>
          <div className="px-1">
            <SourcePaths sources={missing} />
          </div>
        </>
      )}
      <IndexAgain />
      {prices !== null && <OwnPrices {...prices} />}
    </>
  );
}

/** Whether the user's own list of prices is in force. */
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

/** Stores of sessions that are not read here, and how to export a session from each. */
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
