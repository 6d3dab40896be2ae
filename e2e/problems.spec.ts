import { expect, test } from "./support/fixtures";

test("an unknown session links to the list, and a damaged line is listed", async ({
  page,
  app,
  list,
  session,
  words,
  expectedErrors,
}) => {
  expectedErrors.push(/404/);
  await test.step("opening an unknown session shows a message, the palette, and a link back", async () => {
    await page.goto(`${app.origin}/sessions/nothing-of-that-name`);
    await expect(page.getByRole("alert").filter({ hasText: words.of("session.failure.missingTitle") })).toBeVisible();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("combobox", { name: words.of("common.palette.title") });
    await expect(palette).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
    await page.getByRole("link", { name: words.of("common.action.toSessions") }).click();
    await expect(page).toHaveURL(`${app.origin}/`);
  });

  await test.step("the damaged line and the abandoned branch are counted and listed", async () => {
    await list.link("Stop duplicate shipments").first().click();
    await session.ready();
    await page.getByRole("button", { name: "1 line not read" }).click();
    const dialog = page.getByRole("dialog", { name: words.of("session.problems.title") });
    const line = dialog.getByTestId("damaged-lines").getByRole("row").nth(1);
    await expect(line).toContainText(words.of("session.problems.reasons.cut off"));
    await expect(line).toContainText("233");
    await expect(dialog.getByTestId("problems")).toContainText(words.of("session.problems.codes.left-behind-branch"));
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });
});
