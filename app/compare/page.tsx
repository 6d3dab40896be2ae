import type { Metadata } from "next";
import { CompareScreen } from "@/components/sessions-compared/compare-screen";
import { requestTranslator } from "../i18n/request";

export async function generateMetadata(): Promise<Metadata> {
  const t = await requestTranslator();
  return { title: t("sessions.compare.title") };
}

/** Compares sessions as they were recorded. */
export default function ComparePage() {
  return <CompareScreen />;
}
