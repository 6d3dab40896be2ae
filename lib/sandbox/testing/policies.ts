import { buildSync } from "esbuild";
import { type OwnPolicy, ownPolicy } from "../own-policy";
import type { Limits } from "../realm";

/** A policy in one file as its author would write it. */
export function ownOf(text: string, limits: Partial<Limits> = {}): Promise<OwnPolicy> {
  const source = { id: "mine", file: "mine.mjs", text };
  return ownPolicy(source, { ms: 10_000, megabytes: 64, ...limits });
}

/** A built-in policy as a user's file: its modules in one file. */
export function restated(module: string, exported: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents: `export { ${exported} as default } from "${module}";`, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    alias: { "@": process.cwd() },
  });
  return outputFiles[0]?.text ?? "";
}
