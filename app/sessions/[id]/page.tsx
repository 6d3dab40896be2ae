import type { Metadata } from "next";
import { preload } from "react-dom";
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
  const known = decodeURIComponent(id);
  preloadData(`/api/sessions/${encodeURIComponent(known)}`);
  return <SessionScreen id={known} />;
}

/** Has the browser ask for the session's numbers while it still loads the program: the server reads the file meanwhile. */
function preloadData(path: string): void {
  for (const url of [path, `${path}/columns?tokens=own`]) preload(url, { as: "fetch", crossOrigin: "anonymous" });
}
