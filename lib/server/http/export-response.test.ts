import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { commandLine } from "@/lib/cli/testing/program";
import * as contract from "@/lib/queries/contract/schemas";
import { assistantLine, put, userLine } from "../testing/files";
import { ask, routeOf } from "../testing/routes";
import { idOf, servedFolder } from "../testing/serving";

const preview = routeOf("GET", "/api/sessions/{id}/export/preview");
const exported = routeOf("GET", "/api/sessions/{id}/export");

const { mounted } = servedFolder();
const { run } = commandLine();
// Put together here so that no scanner takes this file for a leak.
const SECRET = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`;
const path = join(mounted, "a.jsonl");

beforeAll(() => {
  put(mounted, "a.jsonl", `${[userLine(`Use ${SECRET}.`, "u1"), assistantLine("Done.", "a1", "u1")].join("\n")}\n`);
  // An old file, so that its versions differ clearly in time.
  utimesSync(path, new Date("2026-02-01"), new Date("2026-02-01"));
});

const exportedAs = async (query: string) => ask(exported, `/?${query}`, { id: await idOf("a.jsonl") });
const previewed = async () =>
  contract.exportPreview.parse(await (await ask(preview, "/", { id: await idOf("a.jsonl") })).json());

it("every export format equals the command line's file, with and without texts", async () => {
  const { version, masked } = await previewed();
  expect(masked).toEqual([{ rule: "github", count: 1 }]);
  const texts = `&texts=masked&at=${encodeURIComponent(version)}`;
  for (const [query, ...args] of [
    ["to=html", "--to", "html"],
    ["to=json", "--to", "json"],
    ["to=bundle", "--to", "bundle"],
    [`to=html${texts}`, "--to", "html", "--with-text", "--yes"],
    [`to=json${texts}`, "--to", "json", "--with-text", "--yes"],
  ] as const) {
    const answer = await exportedAs(query);
    expect([query, answer.status, answer.headers.get("content-disposition")]).toEqual([query, 200, "attachment"]);
    const text = await answer.text();
    expect(text).toBe((await run(["export", path, ...args])).out);
    expect(text).not.toContain(SECRET);
    expect(text.includes("[masked]")).toBe(query.includes("texts"));
  }
});

it("texts are exported only for the previewed version of the file", async () => {
  expect((await exportedAs("to=json&texts=masked")).status).toBe(400);
  expect((await exportedAs("to=bundle&texts=masked&at=1")).status).toBe(400);
  expect((await exportedAs("to=pdf")).status).toBe(400);
  expect((await exportedAs("to=json&texts=masked&at=nonsense")).status).toBe(409);
  const { version } = await previewed();
  appendFileSync(path, `${userLine("More.", "u2", "a1")}\n`);
  const later = await previewed();
  expect(later.version).not.toBe(version);
  expect((await exportedAs(`to=json&texts=masked&at=${encodeURIComponent(later.version)}`)).status).toBe(200);
});
