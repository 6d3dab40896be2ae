import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { toolKind } from "@/lib/agents/shared/tool-kinds";
import { useSession } from "../state/stores";
import { ItemIcon, type ItemLabel } from "./item-label";
import { previewLine, subjectLine } from "./preview";
import type { LineTexts } from "./use-item-texts";

interface ItemKindProps {
  readonly label: ItemLabel;
  readonly className?: string;
}

export function ItemKind({ label, className }: ItemKindProps) {
  return (
    <span className={cn("flex min-w-0 items-center gap-2 text-t2", className)}>
      <ItemIcon word={label.word} tool={label.tool} />
      <span className="truncate">
        <ItemName label={label} />
      </span>
    </span>
  );
}

function ItemName({ label }: { readonly label: ItemLabel }) {
  const t = useTranslations("session");
  if (label.word === "overhead") {
    // A category id of the columns; each of them has a message.
    return t(`category.${label.category}` as "category.systemPrompt");
  }
  if (label.tool === undefined) return t(`item.${label.word}`);
  if (label.word === "call") return label.tool;
  return t("item.toolResult", { tool: label.tool });
}

export function ItemNameAndLine(props: { readonly label: ItemLabel } & LineTexts) {
  return (
    <>
      <span className="text-t2">
        <ItemName label={props.label} />
      </span>{" "}
      <span className="font-mono">
        <ItemLine {...props} />
      </span>
    </>
  );
}

/** The first line of an item, or a substitute. A result's line starts with the subject of its call; the rest is muted. */
export function ItemLine({ label, text, call, failed }: { readonly label: ItemLabel } & LineTexts) {
  const t = useTranslations("session.transcript");
  const { project } = useSession(({ summary }) => summary);
  if (failed) return t("textFailed");
  if (text === undefined) return <span aria-hidden className="inline-block h-2 w-40 rounded-sm bg-line align-middle" />;
  const line = previewLine(text.text, text.kind, project) || otherwise();
  const subject = call === undefined ? "" : subjectLine(call.text, project);
  if (subject === "" || subject === line) return line;
  // Tools that change files only confirm it.
  if (label.word === "result" && label.tool !== undefined && toolKind(label.tool) === "edit") return subject;
  return (
    <>
      {subject} <span className="text-t3">· {line}</span>
    </>
  );

  function otherwise(): string {
    if (label.category === "overheadInferred") return t("inferredOverhead");
    return (call === undefined ? label.file : undefined) ?? t("emptyText");
  }
}
