import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionPage } from "./pages/session";
import { serious } from "./support/axe";
import { CHINESE, copySamples, ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";
import { type App, startApp } from "./support/server";

const SETTINGS = `{
  // The trigger, in per cent.
  "env": { "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60" },
}`;
const PLACE = { file: "~/claude/settings.json", line: 3 };

let app: App;
test.beforeAll(async () => {
  app = await startApp({
    fill: (folder, home) => {
      const sessions = join(home, "claude", "projects", "shop");
      mkdirSync(sessions, { recursive: true });
      copySamples(sessions, [ENGLISH]);
      copySamples(folder, [CHINESE]);
      writeFileSync(join(home, "claude", "settings.json"), SETTINGS);
    },
  });
});
test.afterAll(() => app.stop());

test("the panel shows the user's setting with its line, applies it in one click, and the sweep marks it", async ({
  page,
  words,
}) => {
  const session = new SessionPage(page, app, words);
  const { panel } = session;
  await session.open(ENGLISH);
  const row = panel.locator('[data-setting-row="pctOverride"]').getByTestId("stated-setting");
  await expect(row).toBeVisible();
  const asked = session.asked();
  await panel.locator('[data-setting-row="window"]').getByRole("slider").press("ArrowLeft");
  await expect(page).toHaveURL(/window=\d+/);
  await page.goBack();
  expect(asked.filter((path) => path.includes("/settings"))).toEqual([]);
  const value = `60 ${words.of("replay.unit.percent")}`;
  await expect(row).toHaveText(words.filled("replay.panel.yours.stated", { ...PLACE, value }));
  await panel.getByRole("button", { name: words.of("replay.panel.yours.use"), exact: true }).click();
  await expect(page).toHaveURL(/set\.pctOverride=60/);
  await expect(panel.getByTestId("your-settings")).toHaveText(words.of("replay.panel.yours.allInForce"));
  await serious(page, "the panel with own settings", { within: "aside" });

  await session.visit(ENGLISH, "?tab=sweep");
  const sweep = page.getByTestId("sweep");
  await expect(sweep.getByTestId("own-key")).toContainText(words.filled("sweep.map.ownPlace", PLACE));
  await expect(sweep.locator('[data-point][data-own="true"]').first()).toBeVisible();
  await expect(sweep.getByTestId("points-table").getByText(words.of("sweep.table.own"), { exact: true })).toHaveCount(
    1,
  );
  const vary = "vary=autoBuffer=12000:112000:20000~keepToolResults=1:9:2";
  await session.visit(ENGLISH, `?policy=claude-code&tab=sweep&${vary}&set.clearIdleMinutes=60`);
  await expect(sweep.locator('[data-cell][data-own="true"]')).toHaveAccessibleName(words.like("sweep.map.own"));
  await serious(page, "the sweep with own settings", { within: '[data-testid="sweep"]' });
});

test("a session outside its agent's folder shows no settings files", async ({ page, words }) => {
  const session = new SessionPage(page, app, words);
  await session.open(CHINESE);
  await expect(session.panel.getByTestId("your-settings")).toHaveCount(0);
});

test("sources list an agent's settings, with one sentence for each unreadable file", async ({ page, words }) => {
  const broken = await startApp({
    fill: (_folder, home) => {
      const write = (name: string, text: string) => {
        mkdirSync(dirname(join(home, name)), { recursive: true });
        writeFileSync(join(home, name), text);
      };
      write("claude/projects/.keep", "");
      write("claude/settings.json", '{\n  // A comment.\n  "autoCompactWindow" 150000,\n}');
      write("codex/sessions/.keep", "");
      write("codex/config.toml", 'model = "gpt-5"\nmodel_auto_compact_token_limit = = 1\n');
      // A folder in the place of the file can be read by nobody, not even by root.
      mkdirSync(join(home, ".gemini", "settings.json"), { recursive: true });
      write(".gemini/tmp/.keep", "");
      write(".qwen/settings.json", '{ "context": { "autoCompactThreshold": 0.6 } /* mine */ }');
      write(".qwen/projects/.keep", "");
    },
  });
  try {
    await page.goto(broken.origin);
    await page.getByRole("button", { name: words.of("sessions.sources.label") }).click();
    const files = page.getByTestId("agent-settings").getByRole("listitem");
    const fileOf = (agent: string) => files.filter({ hasText: agent });
    await expect(fileOf("claude/settings.json")).toContainText("line 3 is not valid JSON: a colon is missing");
    await expect(fileOf("codex/config.toml")).toContainText("line 2 is not valid TOML");
    await expect(fileOf(".gemini/settings.json")).toContainText("it is not a regular file");
    const stated = { name: "context.autoCompactThreshold", value: "0.6", line: 1 };
    await expect(fileOf(".qwen/settings.json")).toContainText(words.filled("sessions.sources.settings.stated", stated));
    await serious(page, "settings files with faults", { within: "[data-testid=agent-settings]" });
    await page.goto("about:blank");
  } finally {
    await broken.stop();
  }
});
