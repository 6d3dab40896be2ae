import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { Pauses } from "./advice-section";
import { adviceSetup } from "./advice-setup";

const setup = adviceSetup({ policy: "claude-code", preset: null, vary: [] }, null);
const spec = setup.offered.find(({ key }) => key === "idleMinutes");
const PAUSES = { idle: 13, unusedIdle: 7, keepAliveRequests: 0, keepAliveUsd: 0, unusedUsd: 2.5 };

function drawn(locale: "en" | "zh-CN", pauses: typeof PAUSES | null): string {
  if (spec === undefined) throw new Error("idle compaction can be varied");
  const saving = { estimate: 0.1, low: 0.05, high: 0.2 };
  const advice = { under: "as-set", sessions: 1, unknown: 0, alike: 0, set: { idleMinutes: 54 }, saving, missing: [] };
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} timeZone="UTC" messages={MESSAGES[locale]}>
      <Pauses found={{ pauses, advice }} spec={spec} />
    </IntlProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " ");
}

it("the advice states how many idle compactions were unused, and their cost", () => {
  expect(drawn("en", PAUSES)).toMatch(
    /13 idle compactions; after 7 of them \(54 %\) nobody came back\. \$2\.50? was spent after the last requests\./,
  );
  const both = { ...PAUSES, idle: 0, unusedIdle: 0, keepAliveRequests: 2, keepAliveUsd: 0.25 };
  expect(drawn("en", both)).toMatch(/no idle compaction; 2 keep-alive requests for \$0\.25\d*\. \$2\.50? was spent/);
  expect(drawn("zh-CN", PAUSES)).toContain("空闲压缩 13 次，其中 7 次（54 %）之后无人返回");
});

it("the advice does not mention pauses if it never acts in them", () => {
  expect(drawn("en", null)).toBe("");
});
