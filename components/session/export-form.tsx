import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { saveFile } from "@/components/export/save";
import { fileName } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/input";
import { ScrollRegion, Table } from "@/components/ui/table";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { ask, request } from "@/lib/queries/client/client";
import type { ExportPreview, ExportFormat as Form, SessionAnswer } from "@/lib/queries/contract/types";
import type { StoresRef } from "./shared/state/stores";

const FORMATS = ["html", "json", "bundle"] as const satisfies readonly Form[];
const EXTENSIONS: Readonly<Record<Form, string>> = { html: "html", json: "json", bundle: "bundle.jsonl" };

interface ExportFormProps {
  readonly answer: SessionAnswer;
  readonly stores: StoresRef;
  readonly onDone: () => void;
}

/** Choices for an export, and its contents. Nothing is written before the button here is pressed. */
export function ExportFormat({ answer: { id, summary }, stores, onDone }: ExportFormProps) {
  const t = useTranslations("session.exporting");
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  const labelId = useId();
  const [to, setTo] = useState<Form>("html");
  const [withTexts, setWithTexts] = useState(false);
  const ending = useEnding();
  const isAsked = withTexts && to !== "bundle";
  const preview = useQuery({
    queryKey: ["session", id, "export"],
    queryFn: ({ signal }) => ask("exportPreview", { id }, signal),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
  });
  const name = fileName(`${summary.format} ${summary.startedAt?.slice(0, 10) ?? ""}`, EXTENSIONS[to]);
  const version = isAsked ? preview.data?.version : null;
  const save = useMutation({
    // With texts, the version is the one that was previewed.
    mutationFn: async (shown: string | null) => {
      const texts = shown === null ? {} : { texts: "masked", at: shown };
      const simulation = to === "html" ? simulationIn(stores.current) : {};
      return (await request("export", { id, search: { to, ...texts, ...simulation } }, ending())).blob();
    },
    onSuccess: (file) => {
      saveFile(name, file);
      onDone();
    },
  });
  const error = save.error ?? (isAsked ? preview.error : null);
  return (
    <>
      <ToggleGroup
        label={t("form")}
        value={to}
        options={FORMATS.map((form) => [form, t(`forms.${form}`)])}
        onChange={setTo}
        className="mt-4 self-start"
      />
      <p className="mt-2 text-sm text-t2">{t(`formNote.${to}`)}</p>
      {to !== "bundle" && summary.numbersOnly !== true && (
        <div className="mt-3 flex items-center gap-2 text-sm touch:min-h-10">
          <Checkbox
            aria-labelledby={labelId}
            checked={withTexts}
            onChange={({ currentTarget }) => setWithTexts(currentTarget.checked)}
          />
          <span id={labelId}>{t("withTexts")}</span>
        </div>
      )}
      {isAsked && preview.isFetching && (
        <p role="status" className="mt-3 text-sm text-t2">
          {t("looking")}
        </p>
      )}
      {isAsked && !preview.isFetching && preview.data !== undefined && <TextsPreview preview={preview.data} />}
      {error !== null && (
        <p role="alert" className="mt-3 flex items-center gap-3 text-sm text-danger">
          {errorText(error)}
          {isAsked && (
            <Button
              onClick={() => {
                save.reset();
                void preview.refetch();
              }}
            >
              {action("retry")}
            </Button>
          )}
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          size="md"
          className="max-w-full"
          disabled={version === undefined || save.isPending || (isAsked && preview.isFetching)}
          onClick={() => version !== undefined && save.mutate(version)}
        >
          <span className="truncate">{isAsked ? t("saveTexts") : t("save", { file: name })}</span>
        </Button>
        <span role="status" className="text-sm text-t2">
          {save.isPending && t("saving")}
        </span>
      </div>
    </>
  );
}

/** The simulation in force, as parameters of the export; the quick sweep on opening needs none. */
function simulationIn(stores: StoresRef["current"]) {
  if (stores === null) return {};
  const { asked, opening, terms } = stores.replay.get();
  if (opening !== undefined) return { ...terms };
  const { policy, preset, settings, changed, window, counting } = asked;
  return {
    ...{ ...terms, policy: policy.id, preset, counting, estimator: stores.session.get().counted.estimator },
    ...(window.source === "user" && { window: window.tokens }),
    set: [...changed].map((key) => `${key}=${settings[key]}`),
  };
}

/** Returns a function that makes AbortSignals. Each fires when the component unmounts, or when the next one is made. */
function useEnding(): () => AbortSignal {
  const last = useRef<AbortController>(undefined);
  useEffect(() => () => last.current?.abort(), []);
  return () => {
    last.current?.abort();
    last.current = new AbortController();
    return last.current.signal;
  };
}

/** The text that replaces a secret in the file. */
const MASK = "[masked]";

/** The contents of the export, and the masked secrets in it: kinds, numbers, and some of the places. */
function TextsPreview({ preview: { texts, characters, masked, places } }: { readonly preview: ExportPreview }) {
  const t = useTranslations("session.exporting");
  const format = useFormat();
  const kindOf = useSecretKind();
  const count = masked.reduce((sum, one) => sum + one.count, 0);
  return (
    <section aria-label={t("withTexts")} className="mt-3 min-h-0 text-sm" data-testid="texts-preview">
      <p role="status">
        {t("amount", { texts, characters: format.count(characters) })} {t(count === 0 ? "none" : "found", { count })}
      </p>
      {count > 0 && (
        <>
          <Table
            caption={t("found", { count })}
            className="mt-2"
            rows={masked}
            rowKey={({ rule }) => rule}
            columns={[
              { head: t("kind"), namesRow: true, cell: ({ rule }) => kindOf(rule) },
              { head: t("count"), numeric: true, cell: (row) => format.count(row.count) },
            ]}
          />
          <h3 className="mt-3 text-sm font-medium text-t3">{t("places")}</h3>
          <Places places={places} />
          {places.length < count && (
            <p className="mt-1 text-t3">{t("some", { shown: places.length, count: format.count(count) })}</p>
          )}
        </>
      )}
      <p className="mt-3 text-t2">{t("warning")}</p>
    </section>
  );
}

function Places({ places }: Pick<ExportPreview, "places">) {
  const t = useTranslations("session.exporting");
  const word = useTranslations("session.item");
  const kindOf = useSecretKind();
  return (
    <ScrollRegion aria-label={t("places")} className="mt-1 max-h-48 overflow-auto border-y border-line">
      <ol>
        {places.map(({ rule, item, line, what, before, after }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other identity, and the list does not change
          <li key={at} className="border-b border-line py-1 last:border-b-0" data-item={item}>
            <span className="text-sm text-t2">
              {t("place", { line: line ?? 0, what: word(what) })} · {kindOf(rule)}
            </span>
            <span className="block font-mono text-sm [overflow-wrap:anywhere]">
              … {before}
              <mark className="rounded-sm bg-sunk px-0.5 font-medium text-t1">{MASK}</mark>
              {after} …
            </span>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

/** The kind of secret that a rule finds. */
function useSecretKind(): (rule: string) => string {
  const t = useTranslations("session.exporting");
  // The messages name every rule; a test of the rules ensures that.
  return (rule) => t(`secret.${rule}` as "secret.github");
}
