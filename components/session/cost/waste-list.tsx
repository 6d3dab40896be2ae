import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useCopy } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/status";
import { ask } from "@/lib/queries/client/client";
import type { WasteFinding } from "@/lib/queries/contract/types";
import { pathParts } from "../shared/items/preview";
import { useSession, useViewActions } from "../shared/state/stores";

/** Tokens that the session wasted: for each finding a sentence with its confidence and fix, and rows that open an item or request. */
export function WasteList() {
  const t = useTranslations("cost.waste");
  const action = useTranslations("common.action");
  const { answer, version, live } = useSession("answer", "version", "live");
  const { id } = answer;
  const query = useQuery({
    queryKey: ["session", id, "waste", version],
    queryFn: ({ signal }) => ask("waste", { id }, signal),
    // A file that is being written would cause a request for every new line.
    enabled: !live,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (live) return null;
  return (
    <section aria-labelledby="cost-waste" className="border-t border-line px-4 py-4" data-testid="waste">
      <h2 id="cost-waste" className="text-sm font-semibold">
        {t("title")}
      </h2>
      {query.isError ? (
        <p role="alert" className="flex items-center gap-3 py-1 text-sm text-t2">
          {t("failed")}
          <Button onClick={() => void query.refetch()}>{action("retry")}</Button>
        </p>
      ) : query.data === undefined ? (
        <div role="status" aria-label={t("loading")}>
          <Skeleton className="my-2 h-4" />
        </div>
      ) : (
        <Findings findings={query.data.findings} />
      )}
    </section>
  );
}

function Findings({ findings }: { readonly findings: readonly WasteFinding[] }) {
  const t = useTranslations("cost.waste");
  if (findings.length === 0) return <p className="py-1 text-sm text-t3">{t("none")}</p>;
  return (
    <ul className="mt-1.5 divide-y divide-line">
      {findings.map((finding) => (
        <li key={finding.kind} className="py-2 text-sm" data-waste={finding.kind}>
          <Finding finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function Finding({ finding }: { readonly finding: WasteFinding }) {
  const t = useTranslations("cost.waste");
  const format = useFormat();
  const { kind, count, outOf, tokens, usd, because, confidence, rows } = finding;
  const sent = tokens === null ? "" : t("tokens", { tokens: format.sum(tokens) });
  const cost = usd === null ? sent : format.usdListed(usd);
  return (
    <>
      <p>
        {t.rich(`sentence.${kind}`, {
          ...{ cost, count, all: outOf ?? count },
          b: (chunks) => <strong className="font-semibold">{chunks}</strong>,
        })}
      </p>
      <p className="text-t2">
        <span className="font-medium">{t(`confidence.${confidence}`)}</span> {t(`because.${because}`)}{" "}
        {t(`fix.${kind}`)}
      </p>
      <Servers servers={finding.servers} />
      <details>
        <summary className="w-fit cursor-pointer py-1 text-t2 touch:py-2.5">
          {t("rows", { count: rows.length })}
        </summary>
        <ul>
          {rows.map((row) => (
            <li key={`${row.name} ${row.request} ${row.items.join()}`}>
              <Row row={row} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The MCP servers that the session never uses, each with the way to turn it off. */
export function Servers({ servers }: Pick<WasteFinding, "servers">) {
  const t = useTranslations("cost.waste");
  const format = useFormat();
  if (servers.length === 0) return null;
  return (
    <ul className="py-1" data-testid="unused-servers">
      {servers.map(({ name, tools, tokens, usd, off }) => (
        <li key={name} className="flex flex-wrap items-baseline gap-x-2">
          <span>{t("server", { name, count: tools, tokens: format.sum(tokens) })}</span>
          {usd !== null && <span className="text-t2">{format.usdListed(usd)}</span>}
          {off !== null && <TurnOff text={off.text} file={off.file} />}
        </li>
      ))}
    </ul>
  );
}

function TurnOff({ text, file }: NonNullable<WasteFinding["servers"][number]["off"]>) {
  const t = useTranslations("cost.waste");
  const paste = useTranslations("replay.verdict.paste");
  const [result, copy] = useCopy();
  return (
    <span className="text-t2">
      {t("off")} <code className="rounded-sm bg-sunk px-1 break-all text-t1">{text}</code>
      {file !== null && ` ${paste("in", { file })}`}
      <Button variant="ghost" className="ml-1 h-6 px-1.5" onClick={() => copy(text)}>
        <span aria-live="polite">{paste(result ?? "copy")}</span>
      </Button>
    </span>
  );
}

function Row({ row: { name, items, request, tokens, usd } }: { readonly row: WasteFinding["rows"][number] }) {
  const t = useTranslations("cost.waste");
  const format = useFormat();
  const { openItem, reveal } = useViewActions();
  const item = items.at(-1);
  return (
    <button
      type="button"
      title={name ?? undefined}
      onClick={() => (item === undefined ? reveal(request) : openItem(item))}
      className="flex min-h-7 max-w-full items-baseline gap-3 py-0.5 text-left hover:underline touch:min-h-10"
    >
      <span className="truncate">{name === null ? "" : <code>{pathParts(name).base}</code>}</span>
      <span className="shrink-0">{t(item === undefined ? "request" : "item", { at: item ?? request })}</span>
      {tokens !== null && <span className="shrink-0 text-t2">{t("tokens", { tokens: format.sum(tokens) })}</span>}
      {usd !== null && <span className="shrink-0 text-t2">{format.usdListed(usd)}</span>}
    </button>
  );
}
