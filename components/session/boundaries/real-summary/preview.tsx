import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { SummaryPreview, SummaryPreviewAnswer } from "@/lib/api/types";

interface PreviewFactsProps {
  readonly answer: SummaryPreviewAnswer;
  readonly preview: SummaryPreview;
}

/** Where it goes, how large it is, what it costs, and what was masked. */
export function PreviewFacts({ answer, preview }: PreviewFactsProps) {
  const t = useTranslations("session.realSummary");
  const note = useTranslations("session.boundary.promptNote");
  const format = useFormat();
  const { host, address, model, encrypted, hasKey } = answer.summarizer;
  const { bytes, tokens, usd, masked, notes, system } = preview;
  const count = masked.reduce((sum, one) => sum + one.count, 0);
  const rules = masked.map((one) => `${one.rule} ${format.count(one.count)}`).join(", ");
  const summary = format.count(answer.summaryTokens);
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <Fact name={t("where")}>
        <span className="font-semibold">{host}</span> <span className="font-mono text-xs text-t2">{address}</span>
        <span className="block text-t2">
          {[t(encrypted ? "encrypted" : "notEncrypted"), t(hasKey ? "withKey" : "withoutKey")].join(" · ")}
        </span>
      </Fact>
      <Fact name={t("model")}>{model}</Fact>
      <Fact name={t("amount")}>
        {t("amountOf", { bytes: format.count(bytes), tokens: format.count(tokens), estimator: answer.estimator })}
      </Fact>
      <Fact name={t("price")}>
        {usd === null
          ? t("noPrice")
          : t("priceOf", { prompt: format.usd(usd.prompt), answer: format.usd(usd.answer), tokens: summary })}
      </Fact>
      <Fact name={t("secrets")}>{count === 0 ? t("noSecrets") : t("masked", { count, rules })}</Fact>
      {notes.length > 0 && (
        <Fact name={t("prompt")}>
          {notes.map((one) => note(one)).join(" ")}
          {notes.includes("systemOwn") && system === null && ` ${t("noSystem")}`}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-t2">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

/** Every text that is sent, whole, each with its role. */
export function PreviewText({ preview: { system, messages } }: Pick<PreviewFactsProps, "preview">) {
  const t = useTranslations("session.realSummary");
  const texts = system === null ? messages : [{ role: "system" as const, content: system }, ...messages];
  return (
    <ScrollRegion
      aria-label={t("text")}
      className="mt-3 min-h-40 shrink overflow-auto border-y border-line py-1"
      data-testid="sent-text"
    >
      {texts.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity beyond their place
        <div key={index} className="[content-visibility:auto]">
          <h3 className="pt-1 text-xs font-medium text-t3">{role}</h3>
          <pre className="font-mono text-sm break-words whitespace-pre-wrap">{content}</pre>
        </div>
      ))}
    </ScrollRegion>
  );
}
