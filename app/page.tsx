import type { Metadata } from "next";
import { SessionBrowser } from "@/components/sessions/session-browser";
import { requestTranslator } from "./i18n/request";

export async function generateMetadata(): Promise<Metadata> {
  const t = await requestTranslator();
  return { title: { absolute: `${t("sessions.title")} · ${t("common.product")}` } };
}

export default function SessionsPage() {
  return (
    <div className="flex h-[calc(100dvh-3rem)] flex-col">
      <SessionBrowser />
    </div>
  );
}
