import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { commandLine } from "@/lib/cli/testing/program";
import { assistantLine, put, userLine } from "../testing/files";
import { ask, post, routeOf } from "../testing/routes";
import { idOf, servedFolder } from "../testing/serving";

const reports = routeOf("POST", "/api/reports");

const { mounted } = servedFolder();
const SAMPLES = ["claude-code-duplicate-shipments.jsonl", "codex-sliding-window.jsonl"];
const { run } = commandLine();

beforeAll(() => {
  for (const name of SAMPLES) copyFileSync(join("public", "samples", name), join(mounted, name));
});

const asked = (sessions: readonly string[], signal?: AbortSignal) =>
  ask(reports, "/api/reports", {}, post({ sessions }, signal));

it("the report equals the command line's file", async () => {
  const answer = await asked(await Promise.all(SAMPLES.map(idOf)));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe("attachment");
  const { code, out } = await run(["export", ...SAMPLES.map((name) => join(mounted, name)), "--to", "html"]);
  expect(code).toBe(0);
  expect(await answer.text()).toBe(out);
});

it("names a compaction's trigger as the page does: inferred if the record states none", async () => {
  const { out } = await run(["export", "lib/agents/codex/fixtures/compact-commands.jsonl", "--to", "html"]);
  const rows = out.split("Recorded compactions").at(-1) ?? "";
  expect([...rows.matchAll(/manual \(inferred\)|unknown/g)].map(String)).toEqual([
    "manual (inferred)",
    "unknown",
    "unknown",
  ]);
});

it("requests made by another listed session are shown as inherited, as in the list", async () => {
  const history = [userLine("Fix it.", "u1"), assistantLine("Fixed.", "a1", "u1")];
  put(
    mounted,
    "parent.jsonl",
    `${[...history, userLine("More.", "u2", "a1"), assistantLine("Done.", "a2", "u2")].join("\n")}\n`,
  );
  const copy = [...history, userLine("Otherwise.", "u3", "a1")].map((line) =>
    JSON.stringify({ ...JSON.parse(line), sessionId: "copy" }),
  );
  put(mounted, "copy.jsonl", `${copy.join("\n")}\n`);
  const id = await idOf("copy.jsonl");
  // The list knows it once it has read both files.
  await expect
    .poll(async () => (await asked([id])).text(), { timeout: 20_000 })
    .toMatch(/1 inherited.*inherited requests, not in this sum/s);
});

it("an unknown session, no session or too many are refused; reading ends if the client leaves", async () => {
  const known = await idOf(SAMPLES[0] ?? "");
  const missing = await asked([known, "nowhere"]);
  expect(missing.status).toBe(404);
  expect((await missing.json()).detail).toMatch(/\.$/);
  expect((await asked([])).status).toBe(400);
  expect((await asked(Array.from({ length: 201 }, () => known))).status).toBe(400);
  expect((await asked([known], AbortSignal.abort())).status).toBe(499);
});

it("writes a negative number with a minus sign, as the page does", async () => {
  const { out } = await run([
    "export",
    "public/samples/claude-code-duplicate-shipments.jsonl",
    "--window",
    "60000",
    "--to",
    "html",
  ]);
  const cells = [...out.matchAll(/<td[^>]*>([-−][^<]*)<\/td>/g)].map(([, text = ""]) => text.charAt(0));
  expect([...new Set(cells)]).toEqual(["−"]);
});
