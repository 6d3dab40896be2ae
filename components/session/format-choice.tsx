import Link from "next/link";
import { useTranslations } from "use-intl";
import { useFormatLabel } from "@/components/hooks/use-format-label";
import { Button } from "@/components/ui/button";
import type { ApiError } from "@/lib/queries/client/api-error";

interface FormatChoiceProps {
  readonly id: string;
  readonly formats: ApiError["formats"];
}

/** The formats that a file can be read as: first those that find messages in it, then the others. */
export function FormatChoice({ id, formats }: FormatChoiceProps) {
  const t = useTranslations("session.format");
  const label = useFormatLabel();
  const found = formats.filter(({ messages }) => messages > 0);
  const others = formats.filter(({ messages }) => messages === 0);
  return (
    <nav aria-label={t("title")} className="mt-4 flex w-full flex-col gap-4">
      {found.length > 0 && (
        <FormatList title={t("found")}>
          {found.map(({ format, messages }, index) => (
            <li key={format}>
              <Button asChild variant={index === 0 ? "primary" : "outline"}>
                <Link href={hrefOf(id, format)} prefetch={false}>
                  {t("finds", { format: label(format), count: messages })}
                </Link>
              </Button>
            </li>
          ))}
        </FormatList>
      )}
      <FormatList title={found.length > 0 ? t("others") : t("none")}>
        {others.map(({ format }) => (
          <li key={format}>
            <Button asChild size="sm">
              <Link href={hrefOf(id, format)} prefetch={false}>
                {label(format)}
              </Link>
            </Button>
          </li>
        ))}
      </FormatList>
    </nav>
  );
}

function FormatList({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-sm text-t2">{title}</h2>
      <ul className="flex flex-wrap gap-2">{children}</ul>
    </section>
  );
}

/** A link to the same file, read as that format. */
function hrefOf(id: string, format: string): string {
  return `/sessions/${encodeURIComponent(`${id.split("~", 1)[0]}~${format}`)}`;
}
