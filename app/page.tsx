import { requestTranslator } from "./i18n/request";

export default async function SessionsPage() {
  const t = await requestTranslator();
  return (
    <main id="content" className="flex grow flex-col">
      <h1>{t("sessions.title")}</h1>
    </main>
  );
}
