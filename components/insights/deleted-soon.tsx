import { useState } from "react";
import { useTranslations } from "use-intl";
import { saveFile } from "@/components/export/save";
import { fileName } from "@/components/export/table-data";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { agentName } from "@/lib/agents/agents";
import { request } from "@/lib/queries/client/client";
import type { InsightsAnswer } from "@/lib/queries/contract/types";

type Deleted = InsightsAnswer["deletedSoon"][number];

/** Sessions that their agent deletes soon, with a button that saves a bundle of each. */
export function DeletedSoon({ deleted }: { readonly deleted: readonly Deleted[] }) {
  if (deleted.length === 0) return null;
  return (
    <div className="border-b border-line px-4 py-3" data-testid="deleted-soon">
      {deleted.map((one) => (
        <DeletedOfAgent key={`${one.agent} ${one.days}`} deleted={one} />
      ))}
    </div>
  );
}

function DeletedOfAgent({ deleted: { agent, days, within, sessions, ids } }: { readonly deleted: Deleted }) {
  const t = useTranslations("insights.deleted");
  const errorText = useErrorText();
  const [saved, setSaved] = useState<number>();
  const [error, setError] = useState<unknown>();
  const label = agentName(agent)?.label ?? agent;
  const isSaving = saved !== undefined && saved < ids.length && error === undefined;
  const keep = async (): Promise<void> => {
    setError(undefined);
    setSaved(0);
    try {
      // One after another: the server reads each session again.
      for (const [at, id] of ids.entries()) {
        const bundle = await (await request("export", { id, search: { to: "bundle" } })).blob();
        saveFile(fileName(`${label} ${at + 1}`, "bundle.jsonl"), bundle);
        setSaved(at + 1);
      }
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-sm">{t("sentence", { agent: label, count: sessions, within, days })}</p>
      <Button aria-disabled={isSaving} title={t("keepNote")} onClick={() => !isSaving && void keep()}>
        {t("keep", { count: ids.length })}
      </Button>
      <span role="status" className="text-sm text-t2">
        {saved !== undefined && t("kept", { saved, count: ids.length })}
      </span>
      {error !== undefined && (
        <span role="alert" className="text-sm text-danger">
          {errorText(error)}
        </span>
      )}
    </div>
  );
}
