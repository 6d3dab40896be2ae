import { narrowEnough, serious } from "./support/axe";
import { expect, testOnVaried as test } from "./support/fixtures";
import { NO_TRANSCRIPT } from "./support/varied-files";

test("an unreadable file is counted, hidden, listed alone and found, and samples remain available", async ({
  page,
  list,
  words,
}) => {
  await list.open();
  const toggle = page.getByRole("button", { name: words.filled("sessions.filter.filesNotRead", { count: 1 }) });
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await expect(list.row(NO_TRANSCRIPT)).toHaveCount(0);
  await toggle.press("Enter");
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/notRead=true/);
  await expect(list.table.getByRole("row").nth(1)).toContainText(NO_TRANSCRIPT);
  await expect(list.table.getByRole("row")).toHaveCount(2);
  await expect(list.table.getByRole("row").nth(1)).toContainText(words.of("sessions.row.reason.unknown-format"));
  await serious(page, "only files that were not read", { within: "main" });
  await toggle.click();
  await expect(list.row(NO_TRANSCRIPT)).toHaveCount(0);
  await list.search.fill("manifest");
  await expect(list.row(NO_TRANSCRIPT)).toBeVisible();
  await expect(toggle).toHaveCount(0);

  // While only unreadable files are shown, the toggle stays, even if a search matches none of them.
  await list.search.fill("");
  await toggle.click();
  await list.search.fill("shipments");
  await expect(page.getByText(words.of("sessions.noMatch.title"))).toBeVisible();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  const notice = page.getByRole("status").filter({ hasText: words.of("sessions.noMatch.title") });
  await notice.getByRole("button", { name: words.of("sessions.filter.clear") }).click();
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await expect(toggle).toHaveAttribute("aria-pressed", "false");

  // Samples are available too, although the user has own sessions.
  await expect(list.sampleChips).toHaveCount(0);
  await page.getByRole("button", { name: words.of("sessions.filter.samples"), exact: true }).click();
  await expect(list.sampleChips).toHaveCount(8);
  await expect(page).toHaveURL(/where=sample/);
});

test.describe("on a phone, in Chinese", () => {
  test.use({ locale: "zh-CN", viewport: { width: 360, height: 780 } });

  test("an unreadable file shows the reason", async ({ page, list, words }) => {
    await list.open("?notRead=true");
    await expect(list.link(NO_TRANSCRIPT)).toBeVisible();
    await expect(page.getByRole("main")).toContainText(words.of("sessions.row.reason.unknown-format"));
    await narrowEnough(page);
    await serious(page, "phone", { within: "main" });
  });
});
