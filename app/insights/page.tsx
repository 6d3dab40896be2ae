import type { Metadata } from "next";
import { InsightsScreen } from "@/components/insights/insights-screen";
import { requestTranslator } from "../i18n/request";

export async function generateMetadata(): Promise<Metadata> {
  const t = await requestTranslator();
  return { title: t("insights.title") };
}

/** Insights over many sessions. */
export default function InsightsPage() {
  return <InsightsScreen />;
}
