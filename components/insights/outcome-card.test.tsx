import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import type { OutcomeAnswer } from "@/lib/queries/contract/types";
import { OutcomeCard } from "./outcome-card";

type Change = OutcomeAnswer["changes"][number];

const CHANGE: Change = {
  ...{ at: "2026-11-02T10:00:00.000Z", undoneAt: null, agent: "codex", policy: "codex", preset: "current" },
  ...{ path: "/home/ada/.codex/config.toml", by: "tokens", unmatched: 1, across: 1, unknown: 0, needed: 8 },
  settings: [{ key: "autoCompactLimit", named: "model_auto_compact_token_limit", from: null, to: 120_000 }],
  predicted: { saving: { estimate: 0.12, low: 0.05, high: 0.2 }, sessions: 12, projects: 3 },
  before: { sessions: 9, requests: 90, perRequest: 50 },
  after: { sessions: 3, requests: 30, perRequest: 40 },
  saving: null,
};

function drawn(locale: "en" | "zh-CN", damagedLines: readonly number[], ...changes: readonly Change[]): string {
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} timeZone="UTC" messages={MESSAGES[locale]}>
      <OutcomeCard answer={{ changes, damagedLines, file: "/data/applied-settings.jsonl" }} />
    </IntlProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " ");
}

it("the card shows the setting, the prediction, and the number of missing sessions", () => {
  const text = drawn("en", [], CHANGE);
  expect(text).toContain("model_auto_compact_token_limit: not set → 120000");
  expect(text).toContain("Not enough sessions yet (3 of 8).");
  expect(text).toContain("Predicted: 12.0 % [5.0 %, 20.0 %], from 12 sessions of 3 projects.");
  expect(text).toContain("2 sessions are not comparable and left out.");
  expect(drawn("en", [], { ...CHANGE, before: CHANGE.after, after: CHANGE.before })).toContain(
    "Not enough sessions before the change (3 of 8).",
  );
});

it("in both languages the card shows the saving with its interval once both sides have enough sessions", () => {
  const saving = { estimate: 0.2, low: -0.01, high: 0.4 };
  const enough = { ...CHANGE, after: { sessions: 8, requests: 80, perRequest: 40 }, saving };
  expect(drawn("en", [], enough)).toContain(
    "sessions save 20.0 % [−1.0 %, 40.0 %] of tokens per request: 9 sessions before, 8 after.",
  );
  expect(drawn("zh-CN", [], enough)).toContain("节省 20.0 % [−1.0 %，40.0 %]：之前 9 个会话，之后 8 个。");
});

it("the card names damaged lines of the file", () => {
  expect(drawn("en", [2, 5])).toContain("2 lines of /data/applied-settings.jsonl cannot be read: 2, 5.");
});
