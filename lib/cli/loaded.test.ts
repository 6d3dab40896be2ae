import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { beforeAll, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let modules: Metafile["inputs"] = {};
beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    outdir: "dist",
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": ROOT.replace(/[\\/]$/, "") },
    entryPoints: ["lib/cli/main.ts"],
  });
  modules = metafile.inputs;
});

/** Modules that some modules load at start, without lazy imports. */
function loadedWith(...entries: readonly string[]) {
  const found = new Set(entries);
  const packages = new Set<string>();
  // A set's iterator also visits items that are added meanwhile.
  for (const module of found) {
    for (const { path, kind, external } of modules[module]?.imports ?? []) {
      if (kind === "dynamic-import") continue;
      if (external !== true) found.add(path);
      else if (!path.startsWith("node:")) packages.add(path);
    }
  }
  return { modules: [...found], packages: [...packages].sort() };
}

it("a command over a small file loads only the packages of its reader", () => {
  const { packages } = loadedWith("lib/cli/main.ts", "lib/cli/commands/inspect.ts");
  expect(packages).toEqual(["commander", "lru-cache"]);
});

it("`serve` loads no reader and no index, because the page server brings its own", () => {
  const { modules } = loadedWith("lib/cli/main.ts", "lib/cli/commands/serve.ts");
  expect(
    modules.filter((name) =>
      /^lib\/(agents\/(?!shared\/)[^/]+\/|queries\/(answers|[^/]+\.ts$)|server\/(list|store|sessions\/(?!unknown))\/)/.test(
        name,
      ),
    ),
  ).toEqual([]);
  expect(modules).not.toContain("lib/agents/registry.ts");
  expect(modules).not.toContain("lib/server/server.ts");
});
