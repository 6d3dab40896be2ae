import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, it } from "vitest";
import { builtProgram } from "@/lib/server/testing/bundles";
import { killRounds } from "./kill";

const root = builtProgram();
const script = join(root, "dist", "kill.mjs");

beforeAll(async () => {
  const alias = { "@": process.cwd() };
  const as = { bundle: true, platform: "node", format: "esm", target: "node20", packages: "external" } as const;
  await build({ ...as, alias, entryPoints: [join("verify", "kill.ts")], outfile: script, logLevel: "warning" });
}, 60_000);

it("five kills at random moments lose no acknowledged upload and damage no index", async () => {
  const { acknowledged, listed, torn, messages, list, rebuiltList } = await killRounds(
    { root, script: pathToFileURL(script).href },
    5,
    800,
  );
  expect(messages).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((title) => !listed.includes(title))).toEqual([]);
  expect(torn).toEqual([]);
  // Rows are compared one by one, since the difference of whole lists would be unreadable.
  for (const [at, row] of list.entries()) expect(row).toBe(rebuiltList[at]);
  expect(list.length).toBe(rebuiltList.length);
}, 240_000);
