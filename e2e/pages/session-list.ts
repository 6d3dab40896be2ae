import type { Locator, Page } from "@playwright/test";
import type { Served } from "../support/server";
import type { Words } from "../support/words";

/** The page that lists all sessions. */
export class SessionListPage {
  readonly heading: Locator;
  readonly table: Locator;
  readonly search: Locator;
  readonly alert: Locator;

  constructor(
    readonly page: Page,
    private readonly app: Served,
    private readonly words: Words,
  ) {
    this.heading = page.getByRole("heading", { level: 1, name: words.of("sessions.title") });
    this.table = page.getByRole("table", { name: words.of("sessions.table.label") });
    this.search = page.getByRole("searchbox", { name: words.of("sessions.filter.search") });
    this.alert = page.getByRole("main").getByRole("alert");
  }

  async open(query = ""): Promise<void> {
    await this.page.goto(`${this.app.origin}/${query}`);
  }

  /** Opens the filters: beside the list if there is space, else in a sheet. */
  get filters(): Locator {
    return this.page.getByRole("button", { name: this.words.of("sessions.filter.label"), exact: true });
  }

  row(title: string | RegExp): Locator {
    return this.table.getByRole("row").filter({ has: this.page.getByRole("link", { name: title }) });
  }

  link(title: string | RegExp): Locator {
    return this.page.getByRole("main").getByRole("link", { name: title });
  }

  get sampleChips(): Locator {
    return this.table.getByText(this.words.of("sessions.row.sample"), { exact: true });
  }

  /** Selects a file as the file picker does. */
  async choose(path: string | readonly string[]): Promise<void> {
    await this.page
      .getByLabel(this.words.of("sessions.drop.input"))
      .setInputFiles(typeof path === "string" ? path : [...path]);
  }

  /** Drags a file over the window and drops it. */
  async drop(name: string, content: string): Promise<void> {
    const transfer = await this.page.evaluateHandle(
      ([fileName, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], fileName, { type: "application/jsonl" }));
        return data;
      },
      [name, content] as const,
    );
    await this.page.dispatchEvent("main", "dragenter", { dataTransfer: transfer });
    const target = this.page.getByText(this.words.of("sessions.drop.over"));
    await target.waitFor();
    await target.dispatchEvent("drop", { dataTransfer: transfer });
  }
}
