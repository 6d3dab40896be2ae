import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useView, useViewActions } from "../state/stores";

interface RequestButtonProps {
  readonly request: number;
  /** Text after its number. */
  readonly children?: ReactNode;
}

/** The number of a request as a button; pressing it points at the request. */
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
