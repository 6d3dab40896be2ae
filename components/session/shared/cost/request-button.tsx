import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useView, useViewActions } from "../state/stores";

interface RequestButtonProps {
  readonly request: number;
  /** What is said about it, after its number. */
  readonly children?: ReactNode;
}

/** A request by its number; pressing it points at it. */
export function RequestButton({ request, children }: RequestButtonProps) {
  const t = useTranslations("cost.breaks");
  const { pin } = useView("pin");
  const { reveal } = useViewActions();
  return (
    <button
      type="button"
      aria-current={pin === request ? "true" : undefined}
      onClick={() => reveal(request)}
      className="rounded-sm text-left hover:underline aria-[current]:font-semibold touch:min-h-10"
    >
      <span className="font-medium">{t("at", { request })}</span> {children}
    </button>
  );
}
