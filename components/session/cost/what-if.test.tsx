import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { WhatIfs } from "./what-if";

function drawn(shortUsd: number, longUsd: number): string {
  const ttls = { shortUsd, longUsd, pauses: 0, dearerWritesUsd: 0, warmPausesUsd: 0 };
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={MESSAGES.en}>
      <WhatIfs whatIf={{ beforeBreaks: null, lifetimes: ttls }} priced />
    </IntlProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "");
}

it("the page calls neither cache TTL more expensive if both cost the same", () => {
  expect(drawn(2, 2.5)).toContain("1 hour costs $0.5000 more: $2.50 instead of $2.00");
  expect(drawn(2.5, 2)).toContain("1 hour costs $0.5000 less: $2.00 instead of $2.50");
  expect(drawn(2, 2 + 1e-9)).toContain("Both cost the same: $2.00.");
});
