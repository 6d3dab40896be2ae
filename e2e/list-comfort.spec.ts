import { test } from "./support/changing";
import { ENGLISH, samplePath } from "./support/files";
import { expect } from "./support/fixtures";

test("an upload is removed after a question; filters are told in words", async ({ page, list, session, words }) => {
  await list.open();
  await list.choose(samplePath(ENGLISH));
  await session.ready();
  await list.open("?near=no&compacted=yes");
  const said = page.getByTestId("filters-in-words");
  await expect(said).toContainText(words.of("sessions.filter.nearNo"));
  await expect(said).toContainText(words.of("sessions.filter.compactedYes"));
  // The longest sample reached 84.9 % of its window.
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
  await list.open();
  await expect(said).toBeHidden();
  const upload = list.table.getByText(words.of("sessions.row.upload"), { exact: true });
  // Other tests may have opened files here too.
  await expect(upload.first()).toBeVisible();
  const before = await upload.count();
  await page
    .getByRole("button", { name: words.like("sessions.upload.remove") })
    .first()
    .click();
  await page.getByRole("button", { name: words.of("sessions.upload.removeNow") }).click();
  await expect(upload).toHaveCount(before - 1);
  await expect(list.link("Stop duplicate shipments").first()).toBeVisible();
});
