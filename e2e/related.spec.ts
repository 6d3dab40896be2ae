import type { Page } from "@playwright/test";
import type { SessionPage } from "./pages/session";
import { DIALOG, narrowEnough, serious, TAB } from "./support/axe";
import { expect, testOnVaried as test } from "./support/fixtures";
import { INSIDE, PARENT, SILENT_SECOND, TWO_SESSIONS } from "./support/related-files";
import { type Served, sessionId } from "./support/server";
import type { Words } from "./support/words";

/** The place of a subagent's messages. */
const IN_PLACE = { within: "[data-testid=transcript]" };

test("related sessions are linked, and a subagent's messages unfold below its call", async ({
  page,
  app,
  session,
  words,
}) => {
  await session.open(PARENT);
  await followRelated(page, app, session, words);
  await test.step("a subagent recorded in the session's own file unfolds, too", async () => {
    const messages = page
      .getByRole("region", { name: words.of("session.transcript.subagentMessages") })
      .getByRole("listitem");
    await session.follow(INSIDE, "");
    await expect(session.title).toContainText("Find the slow query.");
    await expect(session.transcript).not.toContainText("Look at the query.");
    await session.transcript.getByRole("button", { name: /Task/ }).first().click();
    await expect(session.transcript).toContainText(/\d+ requests?( · |$)/);
    await page.getByRole("button", { name: words.of("session.transcript.showSubagent") }).click();
    await expect(messages).toHaveText([/Look at the query/, /It joins every order/]);
    await messages.last().getByRole("button").click();
    await expect(messages.last().getByTestId("item-text")).toHaveText("It joins every order.");
    await serious(page, "a subagent of the same file in place", IN_PLACE);
    await narrowEnough(page);
    await page.getByRole("link", { name: words.of("session.transcript.openSubagent") }).click();
    await expect(session.title).toContainText("Look at the query.");
    // It links back to the call.
    await page.getByRole("link", { name: words.of("session.related.call"), exact: true }).click();
    await expect(session.title).toContainText("Find the slow query.");
  });
});

// Parts that a phone has no space for come first there.
test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 780 }, colorScheme: "dark", locale: "zh-CN", hasTouch: true });

  test("databases, sessions of one file, and subagents are found from the list", async ({
    page,
    app,
    list,
    session,
    words,
  }) => {
    await test.step("a database of sessions is listed with the command that exports from it", async () => {
      await list.open("?q=module");
      await page
        .getByRole("button", { name: words.like("sessions.sources.label") })
        .first()
        .click();
      const stores = page.getByRole("region", { name: words.of("sessions.sources.stores") });
      await expect(stores).toContainText("opencode export SESSION > session.json");
      await serious(page, "databases");
      await narrowEnough(page);
      await page.keyboard.press("Escape");
    });

    await test.step("each session of a file is opened, then all of them again", async () => {
      const chip = page.getByRole("main").getByText(words.filled("sessions.row.holds", { count: 2 }), { exact: true });
      await expect(chip.filter({ visible: true }).first()).toBeVisible();
      await session.follow(TWO_SESSIONS, "");
      await page.getByRole("button", { name: words.filled("session.fileSessions.holds", { count: 2 }) }).click();
      const popover = page.getByRole("dialog", { name: words.of("session.fileSessions.title") });
      await expect(popover.getByRole("link")).toHaveCount(3);
      await serious(page, "sessions of a file", DIALOG);
      await narrowEnough(page);
      await popover.getByRole("link", { name: /Write the changelog/ }).click();
      await expect(session.title).toContainText("Write the changelog.");
      await expect(session.transcript).not.toContainText("Rename the module.");
      await page
        .getByRole("button", { name: words.filled("session.fileSessions.one", { place: 2, count: 2 }) })
        .click();
      await page.getByRole("link", { name: words.of("session.fileSessions.all") }).click();
      await expect(session.title).toContainText("Rename the module.");
      await expect(session.transcript).toContainText("Write the changelog.");
    });

    await test.step("a session without messages links to the other sessions of its file", async () => {
      await session.follow(SILENT_SECOND, "");
      await expect(session.title).toContainText("Bump the version.");
      await page.getByRole("button", { name: words.filled("session.fileSessions.holds", { count: 2 }) }).click();
      await page.locator('a[href$="~~s-silent"]').click();
      await expect(page.getByText(words.of("session.empty.title"))).toBeVisible();
      await serious(page, "a session without messages");
      await narrowEnough(page);
      await page
        .getByRole("button", { name: words.filled("session.fileSessions.one", { place: 2, count: 2 }) })
        .click();
      await page.getByRole("link", { name: /Bump the version/ }).click();
      await expect(session.title).toContainText("Bump the version.");
    });

    await test.step("the boundaries show the context that resuming the session would load", async () => {
      await session.follow(PARENT, "?tab=boundaries");
      await expect(page.getByTestId("resume")).toContainText("5");
      await serious(page, "a resume", TAB);
      await narrowEnough(page);
    });

    await session.tab("timeline");
    await followRelated(page, app, session, words);
  });
});

/** Goes from the session with a subagent to the subagent's, back to its call, and to its messages there. */
async function followRelated(page: Page, app: Served, session: SessionPage, words: Words): Promise<void> {
  const lane = page.getByRole("region", { name: words.of("session.transcript.subagentMessages") });
  const messages = lane.getByRole("listitem");

  await test.step("related sessions are opened by keyboard", async () => {
    const button = page.getByRole("button", { name: words.filled("session.related.count", { count: 2 }) });
    await button.focus();
    await page.keyboard.press("Enter");
    const popover = page.getByRole("dialog", { name: words.of("session.related.title") });
    await expect(popover.getByRole("link")).toHaveCount(2);
    await serious(page, "related sessions", DIALOG);
    await narrowEnough(page);
    await page.keyboard.press("Escape");
    await expect(popover).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await popover.getByRole("link", { name: /Look at the import test/ }).click();
    await expect(session.title).toContainText("Look at the import test.");
  });

  await test.step("a subagent links to the call that started it, and the call links to the subagent", async () => {
    await serious(page, "a subagent's session", { within: "main header" });
    await narrowEnough(page);
    await page.getByRole("link", { name: words.of("session.related.call"), exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/sessions/${await sessionId(app, PARENT)}\\?(.*&)?item=3\\b`));
    await expect(session.title).toContainText("Find the slow test.");
    const row = session.transcript.getByRole("button", { name: /Task/ }).first();
    await expect(row).toBeVisible();
    if ((await row.getAttribute("aria-expanded")) !== "true") await row.click();
    // Its messages unfold in place, each with its text.
    await page.getByRole("button", { name: words.of("session.transcript.showSubagent") }).click();
    await expect(messages).toHaveText([/Look at the import test/, /It reads every order/]);
    await messages.last().getByRole("button").click();
    await expect(messages.last().getByTestId("item-text")).toHaveText("It reads every order.");
    await serious(page, "a subagent in place", IN_PLACE);
    await narrowEnough(page);
    await page.getByRole("button", { name: words.of("session.transcript.hideSubagent") }).click();
    await expect(lane).toBeHidden();
    await page.getByRole("link", { name: words.of("session.transcript.openSubagent") }).click();
    await expect(session.title).toContainText("Look at the import test.");
  });
}
