import type { Locator, Page } from "@playwright/test";
import type { TabId } from "@/components/session/shared/state/tabs";
import { REPLAY_PARSERS } from "@/components/session/shared/state/url-state";
import { policyById } from "@/lib/agents/registry";
import { presetOfVersion } from "@/lib/queries/session/session-context";
import { expect } from "../support/expect";
import { listedSession, type Served, sessionId } from "../support/server";
import type { Words } from "../support/words";

/** Columns of the results, in their order. */
const COLUMNS = ["recorded", "simulated", "change"] as const;

export type ResultRow =
  | "compactions"
  | "thrash"
  | "peak"
  | "tokensSent"
  | "tokensRewritten"
  | "requestsOverWindow"
  | "regret";

/** Time limit for following a link, however large the session. */
const FOLLOWED_MS = 4000;

/** Parts of the address that ask for a replay. */
const REPLAY_KEYS: ReadonlySet<string> = new Set(Object.keys(REPLAY_PARSERS));

/** The page of one session. */
export class SessionPage {
  readonly title: Locator;
  readonly timeline: Locator;
  readonly chart: Locator;
  readonly cursor: Locator;
  readonly panel: Locator;
  readonly transcript: Locator;
  readonly composition: Locator;
  readonly contributors: Locator;

  constructor(
    readonly page: Page,
    private readonly app: Served,
    private readonly words: Words,
  ) {
    this.title = page.getByRole("heading", { level: 1 });
    this.timeline = page.getByRole("figure", { name: words.of("session.timeline.title") });
    this.chart = page.getByTestId("stack-chart");
    this.cursor = page.getByTestId("timeline-surface");
    this.panel = page.getByRole("complementary", { name: words.of("replay.panel.title") });
    this.transcript = page.getByTestId("transcript");
    this.composition = page.getByTestId("composition");
    this.contributors = page.getByTestId("contributors");
  }

  /** Opens a listed session at its timeline. */
  async open(file: string, query = ""): Promise<void> {
    await this.visit(file, query);
    await this.ready();
  }

  /** Opens a listed session at its bare address, as from the list: under the trigger of its opening sweep. */
  async arrive(file: string): Promise<void> {
    await this.page.goto(`${this.app.origin}/sessions/${await sessionId(this.app, file)}`);
    await this.ready();
  }

  /** Goes to a session's address without waiting for the chart. Unless the query names a policy or a setting, its agent's own policy is replayed. */
  async visit(file: string, query: string): Promise<void> {
    await this.page.goto(`${this.app.origin}${await this.path(file, query)}`);
  }

  private async path(file: string, query: string): Promise<string> {
    const { id, agent, summary } = await listedSession(this.app, file);
    const asked = new URLSearchParams(query);
    const isAsked = [...asked.keys()].some((key) => REPLAY_KEYS.has(key) || key.startsWith("set."));
    const policy = policyById(agent ?? "") ?? policyById("custom");
    if (isAsked || policy === undefined) return `/sessions/${id}${query}`;
    const preset = summary === null ? undefined : presetOfVersion(policy, summary);
    const own = `policy=${policy.id}${preset === undefined ? "" : `&preset=${preset}`}`;
    return `/sessions/${id}${query === "" ? "?" : `${query}&`}${own}`;
  }

  /** Goes to another session as by a link: the page's program stays. */
  async follow(file: string, query: string): Promise<void> {
    const path = await this.path(file, query);
    // On the page of the same session, a recent change is written into the address within some milliseconds, faster than a hand could follow a link: it would
    // replace the link's address.
    await expect(async () => {
      await this.page.evaluate((to) => {
        const { next } = window as unknown as { next: { router: { push(path: string): void } } };
        next.router.push(to);
      }, path);
      await expect(this.page).toHaveURL(`${this.app.origin}${path}`, { timeout: FOLLOWED_MS });
    }).toPass({ timeout: 5 * FOLLOWED_MS });
  }

  /** Waits until the chart is drawn. */
  async ready(): Promise<void> {
    await expect(this.chart.locator("path").filter({ visible: true }).first()).toBeVisible();
  }

  /** The page's requests to the server from now on, except those that follow the file, which it sends at any time. */
  asked(): string[] {
    const asked: string[] = [];
    this.page.on("request", (request) => {
      const { pathname, search, searchParams } = new URL(request.url());
      if (!pathname.endsWith("/events") && !searchParams.has("since")) asked.push(pathname + search);
    });
    return asked;
  }

  /** The answers that a page requests by itself once its chart is rendered: to be awaited before it is opened. The test's own time is their limit. */
  lateAnswers(): Promise<unknown> {
    const late = [/\/overhead\?/, /measures=needs/];
    return Promise.all(late.map((part) => this.page.waitForResponse(part, { timeout: 0 })));
  }

  /** The slider of a setting, looked up in the panel because another slider may have the same name. */
  slider(setting: string): Locator {
    return this.panel.getByRole("slider", { name: this.words.of(`replay.setting.${setting}`), exact: true });
  }

  result(row: ResultRow): Locator {
    return this.page.locator(`[data-result="${row}"]`);
  }

  /** A cell of the results: recorded, simulated, or their difference. It is hidden if its row is shown only on demand. */
  resultCell(row: ResultRow, column: "recorded" | "simulated" | "change"): Locator {
    return this.result(row).getByRole("cell", { includeHidden: true }).nth(COLUMNS.indexOf(column));
  }

  /** A simulated metric in the results. */
  async simulated(row: ResultRow): Promise<number> {
    return numberIn(await this.resultCell(row, "simulated").innerText());
  }

  async recorded(row: ResultRow): Promise<number> {
    return numberIn(await this.resultCell(row, "recorded").innerText());
  }

  get simulatedMarks(): Locator {
    return this.page.getByTestId("simulated-layer").locator("[data-boundary]");
  }

  async choosePolicy(name: string): Promise<void> {
    await this.panel.getByRole("combobox", { name: this.words.of("replay.panel.policy"), exact: true }).click();
    await this.page.getByRole("option", { name, exact: true }).click();
  }

  /** Scrolls to the slider and drags its thumb with the mouse, in steps, to a share of the track. */
  async drag(slider: Locator, share: number, steps = 8): Promise<void> {
    await slider.scrollIntoViewIfNeeded();
    const track = await box(slider);
    const y = track.y + track.height / 2;
    const [value, min, max] = [
      await slider.inputValue(),
      await slider.getAttribute("min"),
      await slider.getAttribute("max"),
    ];
    const thumb = (Number(value) - Number(min)) / (Number(max) - Number(min));
    await this.page.mouse.move(track.x + THUMB / 2 + (track.width - THUMB) * thumb, y);
    await this.page.mouse.down();
    await this.page.mouse.move(track.x + track.width * share, y, { steps });
    await this.page.mouse.up();
  }

  async tab(name: TabId): Promise<void> {
    await this.page.getByRole("tab", { name: this.words.of(`session.tab.${name}`) }).click();
  }
}

/** Width of a slider's thumb, in pixels. */
const THUMB = 14;

async function box(locator: Locator) {
  const found = await locator.boundingBox();
  if (found === null) throw new Error("it is not on the page");
  return found;
}

function numberIn(text: string): number {
  const digits = text.replace(/[^\d]/g, "");
  if (digits === "") throw new Error(`${JSON.stringify(text)} is not a number`);
  return Number(digits);
}
