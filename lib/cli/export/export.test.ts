import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { assistantLine, put, userLine } from "@/lib/server/testing/files";
import { commandLine, LONG } from "../testing/program";

const { root, run, folder, bad, good: SHORT } = commandLine();

/** Words of the sample's own texts that no export may contain. */
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

it("CSV and JSON contain the same metrics, with one line per row", async () => {
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

it("a trace contains the requests and compactions, the same ids each time, and no text", async () => {
  const trace = await exported("--to", "otlp");
  expect(await exported("--to", "otlp")).toBe(trace);
  const file = put(folder, "trace.json", trace);
  const [read, recorded] = await Promise.all(
    [file, LONG].map(async (path) => JSON.parse((await run(["inspect", path, "--json"])).out)),
  );
  expect(read.format).toBe("api-log");
  for (const name of ["sessionId", "requests", "usage", "models"]) expect(read[name]).toEqual(recorded[name]);
  const sizes = ({ compactions }: typeof read) =>
    compactions.map(({ trigger, tokensBefore, tokensAfter }: Record<string, unknown>) => [
      trigger,
      tokensBefore,
      tokensAfter,
    ]);
  expect(sizes(read)).toEqual(sizes(recorded));
});

it("the parts of the window in a report sum to the window, even if the context exceeds the trigger", async () => {
  const { out } = await run(["export", "public/samples/claude-code-duplicate-shipments.jsonl", "--to", "html"]);
  const table = out.slice(out.indexOf("<h2>What filled the window"));
  const rows = table.slice(0, table.indexOf("</table>")).matchAll(/<tr><td>([^<\u2003][^<]*)<\/td><td>([^<]*)</g);
  const tokens = [...rows].map(([, , size = ""]) => Number(size.replaceAll(",", "").replace("−", "-")));
  expect(Math.min(...tokens)).toBeLessThan(0);
  expect(tokens.reduce((sum, size) => sum + size, 0)).toBe(200_000);
});

it("SVG and report are complete, and contain no script or address", async () => {
  const svg = await exported("--to", "svg");
  const html = await exported("--to", "html");
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  const lines = (text: string) =>
    text.split("\n").filter((line) => line.startsWith("<path") || line.startsWith("<line"));
  const simulated = lines(html).filter((line) => !lines(svg).includes(line));
  expect(simulated, "the recording's drawing, with the simulated context as a line").toEqual([
    expect.stringContaining('stroke="#c2410c"'),
  ]);
  expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'");
  expect(html.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/<script|https?:|url\((?!#)|NaN|undefined/);
});

it("a report replays the selected policy and settings, else the quick sweep of the session page", async () => {
  const choice = ["--policy", "custom", "--set", "triggerShare=0.3", "--window", "150000", "--ttl", "1h"];
  const html = await exported("--to", "html", ...choice);
  expect(html).toContain("Simulated: Custom, ");
  expect(html).toMatch(/ · Trigger 30 % · .*window 150,000 · .*cache TTL 1h/);
  const { compactions } = JSON.parse((await run(["replay", LONG, ...choice, "--json"])).out);
  expect(html).toContain(`Compacting at 45.0k: ${compactions.length} compactions instead of `.replace("45.0k", "45k"));
  expect(await exported("--to", "html")).toMatch(/Cheapest trigger of \d+ tried|None of \d+ other triggers tried/);
  const refused = await run(["export", LONG, "--to", "html", "--policy", "custom", "--set", "triggerShare=7"]);
  expect(refused.code).toBe(2);
});

it("texts are written only with both flags, and likely secrets in them are masked", async () => {
  // Assembled here so that no scanner takes this file for a leak.
  const secrets = [
    `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`,
    `sk-ant-api03-${"aB3".repeat(31)}AA`,
    `wJalrXUtnFEMI${"/K7MDENG/bPxRfiCYzz3"}Key7Qq1`,
    "correcthorsebattery",
  ];
  const [github = "", anthropic = "", amazon = "", password = ""] = secrets;
  const file = put(
    folder,
    "secrets.jsonl",
    [
      userLine(`Deploy with ${github} <b>now</b>.`, "u1"),
      assistantLine(`I set DB_PASSWORD=${password} and ${anthropic}.`, "a1", "u1"),
      userLine(`AWS_SECRET_ACCESS_KEY=${amazon}`, "u2", "a1"),
    ].join("\n"),
  );
  for (const to of ["json", "html"]) {
    const args = ["export", file, "--to", to, "--with-text"];
    const shown = await run(args);
    expect([shown.code, shown.out]).toEqual([2, ""]);
    expect(shown.err).toContain("Deploy with [masked]");
    expect(shown.err).toMatch(/likely secrets masked: 4 \(/);
    const written = await run([...args, "--yes"]);
    expect([written.code, written.err]).toEqual([0, ""]);
    expect(written.out).toContain(
      to === "json" ? "Deploy with [masked] <b>now</b>." : "Deploy with [masked] &#60;b&#62;now",
    );
    for (const secret of secrets) expect(shown.err + written.out).not.toContain(secret);
  }
  expect((await run(["export", file, "--to", "csv", "--with-text"])).code).toBe(2);
});

it("several sessions give one report with their sums", async () => {
  const { code, out } = await run(["export", LONG, SHORT, "--to", "html"]);
  expect(code).toBe(0);
  expect(out.match(/<svg /g)).toHaveLength(3);
  expect(out.match(/<html/g)).toHaveLength(1);
  const requests = await Promise.all(
    [LONG, SHORT].map(
      async (file): Promise<number> => JSON.parse((await run(["inspect", file, "--json"])).out).requests,
    ),
  );
  const all = requests.reduce((sum, count) => sum + count, 0);
  expect(out).toContain(`<td>All</td><td></td><td></td><td>${all}</td>`);
  expect((await run(["export", LONG, SHORT, "--to", "csv"])).code).toBe(2);
});

it("a PNG is the SVG at twice its size", async () => {
  const out = join(folder, "context.png");
  expect(await run(["export", LONG, "--to", "png", "--out", out])).toEqual({ code: 0, out: "", err: "" });
  const png = readFileSync(out);
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 720]);
  expect(png.length).toBeGreaterThan(10_000);
});

it("--out writes a new file, and never replaces one", async () => {
  const out = join(folder, "numbers.jsonl");
  const args = ["export", LONG, "--to", "bundle", "--out", out];
  expect(await run(args)).toEqual({ code: 0, out: "", err: "" });
  const first = readFileSync(out, "utf8");
  const again = await run(args);
  expect(again.code).toBe(3);
  expect(again.err).toContain("already exists");
  expect(readFileSync(out, "utf8")).toBe(first);
  expect((await run(["export", bad, "--to", "csv"])).code).toBe(3);
});

it("a failed export leaves no file, and its message names the unreadable input", async () => {
  const out = join(folder, "nothing.html");
  const { code, err } = await run(["export", bad, "--to", "html", "--out", out]);
  expect(code).toBe(3);
  expect(err).toContain("bad.jsonl");
  expect(err).not.toContain("nothing.html");
  expect(existsSync(out)).toBe(false);
});

it.skipIf(process.platform === "win32")("a signal during an export leaves no file", async () => {
  const out = join(folder, "ended.html");
  const args = [join(root, "dist", "cli.mjs"), "export", "-", "--to", "html", "--out", out];
  // Its standard input stays open, so the report waits for that session.
  const child = spawn(process.execPath, args);
  await vi.waitFor(() => expect(existsSync(out)).toBe(true), { timeout: 60_000, interval: 1 });
  child.kill("SIGINT");
  expect((await once(child, "close"))[1]).toBe("SIGINT");
  expect(existsSync(out)).toBe(false);
});
