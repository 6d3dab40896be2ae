import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine, LONG } from "../testing/program";

const { run, folder, bad } = commandLine();

/** The words of the sample's own texts that no export may have. */
const TEXTS = Array.from(
  readFileSync(LONG, "utf8").matchAll(/"(?:text|arguments|output|cwd)": ?"([^"\\]{12,60})/g),
  ([, text = ""]) => text,
);

async function exported(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(["export", LONG, ...args]);
  expect([code, err]).toEqual([0, ""]);
  for (const text of TEXTS) expect(out).not.toContain(text);
  return out;
}

it("figures as CSV are those as JSON, a line a row", async () => {
  const all = JSON.parse(await exported("--to", "json"));
  for (const table of ["requests", "boundaries", "items"]) {
    const [head = "", ...lines] = (await exported("--to", "csv", "--table", table))
      .replace(/^\uFEFF/, "")
      .trimEnd()
      .split("\r\n");
    expect(head.split(",")).toEqual(Object.keys(all[table][0]));
    expect(lines).toHaveLength(all[table].length);
    expect(lines.map((line) => line.split(","))).toEqual(
      all[table].map((row: object) => Object.values(row).map((cell) => (cell === null ? "" : `${cell}`))),
    );
  }
  const inspected = JSON.parse((await run(["inspect", LONG, "--json"])).out);
  expect(all.requests).toHaveLength(inspected.requests);
  expect(Math.max(...all.requests.map(({ context }: { context: number }) => context))).toBe(
    inspected.peakContext.tokens,
  );
});

it("the drawing and the report have no script and no address, and are whole", async () => {
  const svg = await exported("--to", "svg");
  const html = await exported("--to", "html");
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(html).toContain(svg);
  expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'");
  expect(html.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/<script|https?:|url\(|NaN|undefined/);
});

it("writes a new file, never over another one", async () => {
  const out = join(folder, "numbers.jsonl");
  const args = ["export", LONG, "--to", "bundle", "--out", out];
  expect(await run(args)).toEqual({ code: 0, out: "", err: "" });
  const first = readFileSync(out, "utf8");
  const again = await run(args);
  expect(again.code).toBe(3);
  expect(again.err).toContain("is there already");
  expect(readFileSync(out, "utf8")).toBe(first);
  expect((await run(["export", bad, "--to", "csv"])).code).toBe(3);
});
