import { ENGLISH } from "./support/files";
import { expect, test } from "./support/fixtures";

test("contributors are sorted, sum to the context, and link to the transcript", async ({ page, session, words }) => {
  await test.step("the list is sorted by address and keyboard, and extended until it is complete", async () => {
    await session.visit(ENGLISH, "?tab=contributors&by=message&sort=tokens&up=true");
    const by = (column: string) =>
      words.of("contributors.sortBy").replace("{column}", words.of(`contributors.column.${column}`));
    const head = session.contributors.getByRole("columnheader", { name: by("tokens"), exact: true });
    await expect(head).toHaveAttribute("aria-sort", "ascending");
    await page.getByRole("button", { name: by("tokens"), exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(head).toHaveAttribute("aria-sort", "descending");
    await page.keyboard.press("Enter");
    await expect(head).toHaveAttribute("aria-sort", "ascending");
    await expect(page).toHaveURL(/sort=tokens.*up=true/);

    const sentence = page.getByTestId("contributors-shown");
    await expect(sentence).toHaveText(/^40 of \d+ /);
    const total = Number(/of (\d+)/.exec(await sentence.innerText())?.[1]);
    for (let shown = 40; shown < total; shown += 40) {
      await expect(sentence).toContainText(`${shown} of ${total} `);
      const count = String(Math.min(40, total - shown));
      await page.getByRole("button", { name: words.of("contributors.more").replace("{count}", count) }).click();
    }
    await expect(sentence).toHaveCount(0);
    await expect(session.contributors.locator("[data-contributor]")).toHaveCount(total);
  });

  await test.step("repeated content and the growth of the context are shown", async () => {
    await expect(page.getByText(words.of("contributors.repeated.title"))).toBeVisible();
    await expect(page.getByTestId("fill-points").getByRole("listitem")).toHaveCount(3);
  });

  await test.step("contributors sum to the context at the cursor, and link to the transcript", async () => {
    await session.follow(ENGLISH, "?tab=contributors&policy=custom&set.triggerShare=0.3&at=40");
    const total = page.getByTestId("composition-total");
    const sum = page.getByTestId("contributors-sum");
    // Two parts of the page, which need not be rendered in one frame.
    const same = () => expect(async () => expect(await sum.innerText()).toBe(await total.innerText())).toPass();
    await expect(session.contributors.getByRole("row")).not.toHaveCount(2);
    await same();
    const recorded = await total.innerText();

    await page.getByRole("radio", { name: words.of("replay.policy.custom") }).click();
    await expect(page).toHaveURL(/show=policy/);
    await expect(total).not.toHaveText(recorded);
    await same();

    await page.getByRole("radio", { name: words.of("contributors.by.file") }).click();
    await expect(page).toHaveURL(/by=file/);
    await same();
    await page.getByRole("button", { name: words.of("session.composition.previous") }).click();
    await expect(page).toHaveURL(/at=39/);
    await same();

    await session.contributors.locator('[data-contributor^="file"] button').first().click();
    await expect(page).toHaveURL(/item=\d+/);
    await expect(session.chart).toBeVisible();
  });
});
