import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { ElementContext, Result } from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The content of a session's tab; the page around it and the panel beside it were checked before. The first rows of long tables represent the
 * others.
 */
export const TAB: Part = {
  within: "[role=tabpanel]",
  without: "aside, tbody tr:nth-child(n + 13)",
};
/** An overlay over a page; the page behind it was checked before. */
export const DIALOG: Part = { within: "[role=dialog]" };

/** A part of a page, by selectors. Axe takes seconds for a whole one. */
interface Part {
  readonly within: string;
  readonly without?: string;
}

/**
 * Fails if axe finds a serious or critical fault.
 * @param where the place to name in the failure
 * @param part a part of the page; default: the whole page
 * @param rules ids of the rules; default: all
 */
export async function serious(page: Page, where: string, part?: Part, rules?: string[]): Promise<void> {
  // A page that was checked before has axe already, which is half a megabyte of program.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  await pinned(page, false);
  const context = { include: [part?.within ?? "html"], exclude: part?.without ?? [] };
  const violations = await page.evaluate(violationsIn, { context, rules });
  await pinned(page, true);
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, any }) => [target.join(" "), ...any.map(({ message }) => message)].join(": ")).join(", ")}`,
    );
  expect(found, where).toEqual([]);
}

/** The global `axe` of a page. */
declare const axe: typeof import("axe-core");

/** The faults that axe finds, without passes: runs in the page. */
async function violationsIn(asked: { context: ElementContext; rules: string[] | undefined }): Promise<Result[]> {
  const { violations } = await axe.run(asked.context, {
    resultTypes: ["violations"],
    ...(asked.rules && { runOnly: asked.rules }),
    // Axe skips this rule of WCAG 2.2 by default.
    rules: { "target-size": { enabled: true } },
  });
  return violations;
}

/** Axe mistakes elements below a pinned part for small, though they scroll out from there: such parts scroll with the page meanwhile. */
async function pinned(page: Page, isPinned: boolean): Promise<void> {
  await page.evaluate(
    (position) => {
      for (const part of document.querySelectorAll<HTMLElement>("[data-pinned]")) part.style.position = position;
    },
    isPinned ? "" : "static",
  );
}

/** As `serious`, in both colour schemes: in the dark one, only faults of colours. Leaves the light one in force. */
export async function seriousInBothSchemes(page: Page, where: string, part?: Part): Promise<void> {
  await serious(page, where, part);
  await inScheme(page, "dark");
  await serious(page, `${where}, dark`, part, ["color-contrast"]);
  await inScheme(page, "light");
}

/** Shows the page in a colour scheme. */
export async function inScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveClass(new RegExp(`\\b${colorScheme}\\b`));
}

/** Expects that the page itself does not scroll sideways. */
export async function narrowEnough(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
}
