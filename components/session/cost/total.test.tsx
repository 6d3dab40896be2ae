import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it, vi } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawRequests } from "@/lib/core/testing/draw-requests";
import { toCost } from "@/lib/questions/cost/cost";
import { Total } from "./total";

vi.mock("../state/session-data", () => ({ useSession: () => ({ summary: { problems: [] } }) }));

const session = {
  ...{ file: "a.jsonl", sessionId: null, agent: null, agentVersion: null, formatVersion: null, endedAt: null },
  compactions: [],
};
const columns = drawRequests([{ model: "claude-opus-4-5", write: 1000 }]);

function textOf(on?: string): string {
  const answer = toCost(session, columns, LISTED_PRICES, { on });
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={MESSAGES.en}>
      <Total answer={answer} />
    </IntlProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "");
}

it("says by which model's prices a model is priced", () => {
  expect(textOf()).toContain("claude-opus-4-5: price row seen on 2026-11-22 (platform.claude.com");
  expect(textOf("claude-opus-5-5")).toContain(
    "claude-opus-4-5: priced as claude-opus-5-5, price row seen on 2026-11-22",
  );
  expect(textOf("claude-opus-4-5")).toContain("claude-opus-4-5: price row seen on");
  expect(textOf("claude-opus-5-5")).not.toContain("no price is known");
});
