import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Table } from "@/components/ui/table";
import type { ExportPreview } from "@/lib/api/types";

/** What stands for a secret in the file. */
const MASK = "[masked]";

/** What would be written, and what is masked in it: kinds of secrets, how many, and some of the places. */
export function TextsPreview({ preview: { texts, characters, masked, places } }: { readonly preview: ExportPreview }) {
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
          <h3 className="mt-3 text-xs font-medium text-t3">{t("places")}</h3>
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
            <span className="text-xs text-t2">
              {t("place", { line: line ?? 0, what: word(what) })} · {kindOf(rule)}
            </span>
            <span className="block font-mono text-xs [overflow-wrap:anywhere]">
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
  // The messages name every rule: a test of the rules holds them to it.
  return (rule) => t(`secret.${rule}` as "secret.github");
}
