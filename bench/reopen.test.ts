import { utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { builtProgram } from "@/lib/server/testing/bundles";
import { assistantLine, put, temporaryFolder, userLine } from "@/lib/server/testing/files";
import { openInProcess } from "./reopen";

const root = builtProgram();
const script = join(root, "dist", "reopen.mjs");
const base = temporaryFolder();

beforeAll(async () => {
  const alias = { "@": process.cwd() };
  const as = { bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" } as const;
  await build({ ...as, alias, entryPoints: [join("bench", "reopen.ts")], outfile: script, logLevel: "warning" });
}, 60_000);

it("a new process opens a session that another one has opened without reading or counting it", () => {
  const path = put(base, "session.jsonl", [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")].join("\n"));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const place = { root, path, opened: join(base, "opened") };
  const [first, again] = [1, 2].map(() => openInProcess(pathToFileURL(script).href, place));
  expect(first).toMatchObject({ rows: 3, filesParsed: 1, filesCounted: 1 });
  expect(again).toMatchObject({ rows: 3, filesParsed: 0, filesCounted: 0 });
});
