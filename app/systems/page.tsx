import type { Metadata } from "next";
import { SystemsScreen } from "@/components/systems/systems-screen";
import { requestTranslator } from "../i18n/request";

export async function generateMetadata(): Promise<Metadata> {
  const t = await requestTranslator();
  return { title: t("common.nav.systems") };
}

/** Page about every policy: its rules, values and sources. */
export default function SystemsPage() {
  return <SystemsScreen />;
}
