"use client";

import Link from "next/link";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/status";

export default function ErrorPage({ reset }: { readonly reset: () => void }) {
  const t = useTranslations("common");
  return (
    <main id="content" className="flex grow flex-col">
      <Notice heading="h1" role="alert" title={t("failure.title")} body={t("failure.body")}>
        <Button variant="primary" onClick={reset}>
          {t("action.retry")}
        </Button>
        <Button asChild>
          <Link href="/">{t("action.toSessions")}</Link>
        </Button>
      </Notice>
    </main>
  );
}
