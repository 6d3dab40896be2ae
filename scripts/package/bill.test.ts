import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "@/lib/server/testing/files";

const { billOf, billOfMaterials, checksums, OPTIONAL } = (await import(
  "./bill.mjs" as string
)) as typeof import("./bill.mjs"); // Plain JavaScript without types.

it("a bill of materials lists only the packages that are shipped", () => {
  const component = (name: string, group?: string) => ({
    name,
    ...(group ? { group } : {}),
    "bom-ref": `${group ?? ""}${name}`,
  });
  const bill = {
    metadata: { component: { "bom-ref": "root" } },
    components: [component("zod"), component("vitest"), component("env", "@next")],
    dependencies: [
      { ref: "root", dependsOn: ["zod", "vitest", "@nextenv"] },
      { ref: "vitest", dependsOn: ["zod"] },
    ],
  };
  const { components, dependencies } = billOf(bill, new Set(["zod", "@next/env"]));
  expect(components.map(({ name }) => name)).toEqual(["zod", "env"]);
  expect(dependencies).toEqual([{ ref: "root", dependsOn: ["zod", "@nextenv"] }]);
});

it("the bill of the lock file is complete, and in CycloneDX's format", () => {
  const shipped = ["zod", "react", "next", "@modelcontextprotocol/sdk"];
  const bill = billOfMaterials(shipped);
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.[5-9]$/), version: 1 });
  expect(bill.metadata.component).toMatchObject({ name: "context-replay", type: "application" });
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  const names = bill.components.map(({ name, group }) => (group ? `${group}/${name}` : name));
  expect([...names].sort()).toEqual([...shipped, ...OPTIONAL].sort());
  for (const one of bill.components)
    expect(one).toMatchObject({
      type: "library",
      scope: OPTIONAL.includes(one.group ? `${one.group}/${one.name}` : one.name) ? "optional" : "required",
      version: expect.stringMatching(/^\d/),
      purl: expect.stringMatching(/^pkg:npm\//),
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  const refs = bill.components.map((one) => one["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  const known = new Set([...refs, bill.metadata.component["bom-ref"]]);
  for (const { ref, dependsOn } of bill.dependencies)
    for (const one of [ref, ...dependsOn]) expect(known).toContain(one);
});

it("the checksums of a folder equal those of sha256sum", () => {
  const folder = temporaryFolder();
  for (const name of ["b.txt", "a.txt"]) writeFileSync(join(folder, name), name);
  const sums = checksums(folder);
  expect(sums).toMatch(/^[0-9a-f]{64} {2}a\.txt\n[0-9a-f]{64} {2}b\.txt\n$/);
  const { status } = spawnSync("sha256sum", ["--check", "-"], { cwd: folder, input: sums });
  // The release is not made on a system without that program.
  expect(status ?? 0).toBe(0);
});
