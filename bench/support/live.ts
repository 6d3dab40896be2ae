import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "@playwright/test";

/** Interval at which lines are appended. */
const STEP_MS = 100;
const START = Date.UTC(2026, 0, 12, 8);

/** A growing session: every line is one item, whose text has the line's number between two letters n. */
export class GrowingFile {
  readonly #path: string;
  /** Number of lines that are written at least in part. */
  lines = 0;
  /** The unwritten rest of the last line. */
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Rows of the transcript: the overhead, and the lines; every result is in the row of its call. */
  get rows(): number {
    return 1 + this.lines - Math.floor((this.lines + 1) / 4);
  }

  /** Adds lines. The last one breaks off in its middle, like a line that an agent is just writing; its rest comes with the next ones. */
  write(count: number): void {
    const more = Array.from({ length: count }, (_, at) => `${lineOf(this.lines + at)}\n`).join("");
    this.lines += count;
    const half = count === 0 ? more.length : more.length - 40;
    appendFileSync(this.#path, this.#rest + more.slice(0, half));
    this.#rest = more.slice(half);
  }

  /** Writes the rest of the last line. */
  finish(): void {
    this.write(0);
  }

  /** Adds lines at a steady rate. */
  async grow({ perSecond, seconds }: { readonly perSecond: number; readonly seconds: number }): Promise<void> {
    const began = performance.now();
    const first = this.lines;
    for (let past = 0; past < seconds * 1000; past = performance.now() - began) {
      const due = first + Math.floor((Math.min(past, seconds * 1000) / 1000) * perSecond);
      if (due > this.lines) this.write(due - this.lines);
      await delay(STEP_MS);
    }
    const all = first + perSecond * seconds;
    if (all > this.lines) this.write(all - this.lines);
    this.finish();
  }
}

/** A user message, then a call, its result and an answer in turn. */
function lineOf(number: number): string {
  const mark = `n${number}n`;
  const usage = {
    input_tokens: 6,
    cache_creation_input_tokens: 60,
    output_tokens: 20,
    cache_read_input_tokens: 12_000 + ((number * 20) % 120_000),
  };
  const response = (content: object) => ({
    model: "claude-opus-4-6",
    id: `m-${number}`,
    type: "message",
    role: "assistant",
    content: [content],
    usage,
  });
  const kinds = [
    { role: "user", content: `Question ${mark}: what does the parser do with this line?` },
    response({ type: "tool_use", id: `t-${number}`, name: "Bash", input: { command: `echo ${mark}` } }),
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t-${number - 1}`, content: `${mark} was said` }] },
    response({ type: "text", text: `Answer ${mark}: it keeps its place.` }),
  ];
  const message = kinds[number % kinds.length];
  return JSON.stringify({
    parentUuid: number === 0 ? null : `u-${number - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: "/home/ada/shop",
    sessionId: "growing",
    version: "2.1.37",
    type: message?.role,
    message,
    requestId: `r-${number}`,
    uuid: `u-${number}`,
    timestamp: new Date(START + number * 1000).toISOString(),
  });
}

/** Number of rows of the transcript, as the page reports it. */
export async function shownRows(page: Page): Promise<number> {
  return Number(await page.getByTestId("transcript").locator("li").first().getAttribute("aria-setsize"));
}

/** The numbers of the items in the transcript's rows, from the first row on, by scrolling through all of it: shows missing and doubled items. */
export function shownNumbers(page: Page): Promise<number[]> {
  return page.getByTestId("transcript").evaluate(async (list) => {
    const numbers = new Map<number, readonly number[]>();
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const take = (): boolean => {
      const rows = [...list.querySelectorAll<HTMLElement>("li[data-index]")];
      for (const row of rows) {
        // A call and its result are in one row.
        const found = [...(row.textContent ?? "").matchAll(/n(\d+)n/g)].map(([, digits]) => Number(digits));
        if (found.length > 0) numbers.set(Number(row.dataset.index), [...new Set(found)]);
      }
      // The first row is the overhead, and after the last item comes a row of the list's own.
      const end = Number(rows[0]?.getAttribute("aria-setsize"));
      return rows.every(
        ({ dataset: { index } }) => index === "0" || Number(index) === end || numbers.has(Number(index)),
      );
    };
    list.scrollTop = 0;
    for (let waited = 0; waited < 2000; ) {
      await frame();
      if (!take()) waited += 1;
      else if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) break;
      else {
        waited = 0;
        list.scrollTop += list.clientHeight * 0.8;
      }
    }
    await frame();
    take();
    return [...numbers].sort(([one], [other]) => one - other).flatMap(([, found]) => found);
  });
}

/** Processor time of a process, in seconds; NaN if the system does not report it. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain blanks; after it, times in ticks of a hundredth of a second are the 12th and 13th
    // fields.
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return Number.NaN;
  }
}
