import type { Metadata } from "next";
import { requestTranslator } from "@/app/i18n/request";
import { SessionScreen } from "@/components/session/session-screen";

interface SessionPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  const t = await requestTranslator();
  return { title: t("session.title") };
}

/** One session: the timeline, what filled the window, and its replay. */
export default async function SessionPage({ params }: SessionPageProps) {
  const { id } = await params;
  return <SessionScreen id={decodeURIComponent(id)} />;
}
