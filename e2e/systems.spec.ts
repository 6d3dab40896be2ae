import { agentPolicies, profileOf } from "@/lib/agents/registry";
import { defaultWindowOf } from "@/lib/agents/shared/profile";
import { SessionPage } from "./pages/session";
import { SessionListPage } from "./pages/session-list";
import { inScheme, narrowEnough, serious } from "./support/axe";
import { expect, test } from "./support/fixtures";

test("every policy is described with its values, and links to its example", async ({ page, emptyApp, words }) => {
  const list = new SessionListPage(page, emptyApp, words);
  await list.open();
  await page.getByRole("link", { name: words.of("common.nav.systems"), exact: true }).click();
  await expect(page).toHaveURL(/\/systems$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const policy of agentPolicies()) {
    const system = page.locator(`[data-system="${policy.id}"]`);
    const [preset = ""] = policy.presets;
    const profile = profileOf(policy.id);
    const window = profile === undefined ? 0 : defaultWindowOf(profile, preset).value;
    const specs = policy.settings(preset, { window, agent: policy.id });
    await expect(system.locator("[data-value-of]")).toHaveCount(specs.length);
    await expect(system.getByRole("link")).toHaveAttribute("href", new RegExp(`policy=${policy.id}&preset=`));
  }

  await test.step("the page has no serious accessibility fault, wide and narrow, light and dark", async () => {
    await serious(page, "systems");
    await narrowEnough(page);
    await page.setViewportSize({ width: 360, height: 900 });
    await inScheme(page, "dark");
    await serious(page, "systems, narrow and dark");
    await narrowEnough(page);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  const session = new SessionPage(page, emptyApp, words);
  const opens = async (policy: string, tab: "composition" | "boundaries") => {
    await page.goto(`${emptyApp.origin}/systems`);
    await page.locator(`[data-system="${policy}"]`).getByRole("link").click();
    await session.ready();
    await session.tab(tab);
  };

  await test.step("the example of OpenClaw shows its list and detail", async () => {
    await opens("openclaw", "composition");
    await expect(page.getByTestId("printed-list")).toContainText("Context breakdown");
    await expect(page.getByTestId("printed-detail")).toContainText("Top tools (schema size)");
  });

  await test.step("the examples of Qwen Code and ClawdCode show /context and /compact", async () => {
    await opens("qwen-code", "composition");
    await expect(page.getByTestId("own-text")).toContainText("Context Usage");
    await opens("clawdcode", "boundaries");
    await expect(page.getByTestId("compaction-report").first()).toContainText("压缩完成");
  });

  await test.step("the panel links to the policy's part of the page", async () => {
    await session.tab("timeline");
    await page.getByRole("link", { name: words.of("replay.panel.about") }).click();
    await expect(page).toHaveURL(/\/systems#clawdcode$/);
    await expect(page.locator("#clawdcode")).toBeInViewport();
  });
});
