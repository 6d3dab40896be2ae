import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/status";
import { requestTranslator } from "./i18n/request";

export default async function NotFound() {
  const t = await requestTranslator();
  return (
    <main id="content" className="flex grow flex-col">
      <Notice heading="h1" title={t("common.failure.notFoundTitle")} body={t("common.failure.notFoundBody")}>
        <Button asChild>
          <Link href="/">{t("common.action.toSessions")}</Link>
        </Button>
      </Notice>
    </main>
  );
}
