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

/** Shows one session: timeline, composition, and replay. */
export default async function SessionPage({ params }: SessionPageProps) {
  const { id } = await params;
  const known = decodeURIComponent(id);
  preloadData(`/api/sessions/${encodeURIComponent(known)}`);
  return <SessionScreen id={known} />;
}

/** Makes the browser request the session's columns and the user policies while it still loads the scripts, so that the server already reads the file. */
function preloadData(path: string): void {
  for (const url of [path, `${path}/columns?tokens=own`, "/api/policies"])
    preload(url, { as: "fetch", crossOrigin: "anonymous" });
}
