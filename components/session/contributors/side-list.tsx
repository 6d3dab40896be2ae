import type { ReactNode } from "react";
import { useTranslations } from "use-intl";

interface SideListProps {
  readonly title: string;
  /** Heading of the column of figures. */
  readonly column: string;
  readonly children: ReactNode;
}

/** A short list beside the table. */
export function SideList({ title, column, children }: SideListProps) {
  return (
    <section className="min-w-0">
      <h2 className="flex h-6 items-center justify-between gap-4 border-b border-line text-xs font-medium text-t3">
        <span>{title}</span>
        <span>{column}</span>
      </h2>
      {children}
    </section>
  );
}

/** The sentence under a shortened list: how many entries are left out. */
export function SideListRest({ count }: { readonly count: number }) {
  const t = useTranslations("contributors");
  return count === 0 ? null : <p className="py-1 text-sm text-t3">{t("rest", { count })}</p>;
}
