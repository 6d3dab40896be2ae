import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it, vi } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawRequests } from "@/lib/core/testing/draw-requests";
import { toCost } from "@/lib/queries/cost/cost";
import { billView } from "../shared/cost/bill-view";
import { HeaderCost } from "../timeline/beside-chart";
import { Total } from "./total";

/** The parts of the session page that the views read. */
const page = vi.hoisted(() => ({ cost: {}, session: {} }));
vi.mock("../shared/state/stores", () => ({
  useSession: () => ({ answer: page.session }),
  useViewActions: () => ({ setTab: () => undefined }),
}));
vi.mock("../shared/cost/use-cost", async (original) => ({
  ...(await original<typeof import("../shared/cost/use-cost")>()),
  useRecordedCost: () => page.cost,
}));

const session = {
  file: "a.jsonl",
  sessionId: null,
  agent: null,
  agentVersion: null,
  formatVersion: null,
  endedAt: null,
  compactions: [],
};
const columns = drawRequests([{ model: "claude-opus-4-5", write: 1000 }]);

function drawn(view: ReactNode): string {
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={MESSAGES.en}>
      {view}
    </IntlProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "");
}

function textOf(on?: string): string {
  const answer = toCost(session, columns, LISTED_PRICES, { on });
  return drawn(<Total answer={answer} view={billView(answer, undefined)} />);
}

it("the total names the model whose prices apply", () => {
  expect(textOf()).toContain("claude-opus-4-5: price row seen on 2026-11-22 (platform.claude.com");
  expect(textOf("claude-opus-5-5")).toContain(
    "claude-opus-4-5: priced as claude-opus-5-5, price row seen on 2026-11-22",
  );
  expect(textOf("claude-opus-4-5")).toContain("claude-opus-4-5: price row seen on");
  expect(textOf("claude-opus-5-5")).not.toContain("no price is known");
});

it("the total is a lower bound if the file's cost is one, and so in the page's header", () => {
  const problems = [{ code: "impossible-figure", line: 1, detail: null, count: 2 }] as const;
  const of = (given: typeof session & { readonly problems?: typeof problems }) => {
    const answer = toCost({ ...given, problems: [...(given.problems ?? [])] }, columns, LISTED_PRICES);
    page.cost = answer;
    return [drawn(<Total answer={answer} view={billView(answer, undefined)} />), drawn(<HeaderCost />)];
  };
  for (const text of of({ ...session, problems })) expect(text).toContain("≥\u00a0$0.00625");
  for (const text of of(session)) expect(text).not.toContain("≥");
});

it("the total shows inherited requests with the session that made them, and the subagents' sum", () => {
  const answer = toCost(session, columns, LISTED_PRICES);
  const { own } = answer.bill;
  if (own === null) throw new Error("The session has requests.");
  const listed = { ...answer.bill, subagents: { ...own, files: 1 } };
  page.cost = answer;
  page.session = { bill: listed };
  expect(drawn(<HeaderCost />)).toContain("$0.006250, with subagents $0.0125");
  const both = drawn(<Total answer={answer} view={billView(answer, listed)} />);
  expect(both).toContain("Subagents, 1 with its own file");
  expect(both).toContain("Total2");
  const inherited = { ...answer.bill, own: null, inherited: { ...own, from: ["parent-id"] } };
  const text = drawn(<Total answer={answer} view={billView(answer, inherited)} />);
  expect(text).toContain("No requests of its own: the 1 recorded request is inherited");
  expect(text).toContain("Not in the sum: inherited from parent-id");
  page.session = {};
});

it("the total lists the cost of each subagent, and marks unknown prices and lower bounds", () => {
  const answer = toCost(session, columns, LISTED_PRICES);
  const { own } = answer.bill;
  if (own === null) throw new Error("the session has requests");
  const each = [
    { session: "s1", title: "Find callers", requests: 3, usd: 0.5, lowerBound: true },
    { session: "s2", title: "Write tests", requests: 1, usd: null, lowerBound: false },
  ];
  const billed = { ...answer, bill: { ...answer.bill, subagents: { ...own, files: 2, each } } };
  const text = drawn(<Total answer={billed} view={billView(billed, undefined)} />);
  expect(text).toContain("By subagent (2)Find callers3 requests≥\u00a0$0.5");
  expect(text).toContain("Write tests1 requestn/a");
});
