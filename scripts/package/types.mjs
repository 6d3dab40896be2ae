import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../setup.mjs";

const ENTRY = "lib/library/index.d.ts";
/** `from "…"` and `import("…")` of a declaration. */
const SPECIFIER = /(from |import\()"([^"]+)"/g;

/**
 * Writes the library's types below a folder: the declarations reachable from its entry, and those of zod, which describe the answers.
 * @param {string} out
 */
export function writeTypes(out) {
  const emitted = emit();
  try {
    const found = new Set();
    follow(emitted, ENTRY, found);
    for (const file of found) {
      const text = readFileSync(path.join(emitted, file), "utf8");
      const to = path.join(out, "types", file);
      mkdirSync(path.dirname(to), { recursive: true });
      writeFileSync(
        to,
        text.replaceAll(SPECIFIER, (whole, before, name) => {
          const target = resolved(emitted, file, name);
          if (target === undefined) return whole;
          const relative = path.posix.relative(path.posix.dirname(file), target.replace(/\.d\.ts$/, ".js"));
          return `${before}"${relative.startsWith(".") ? relative : `./${relative}`}"`;
        }),
      );
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
  copyTypesOfZod(path.join(out, "node_modules", "zod"));
}

/** Copies zod's declarations, except its messages in other languages, which are two thirds of it and unused in answers. */
function copyTypesOfZod(to) {
  const from = path.join(ROOT, "node_modules", "zod");
  const filter = (file) => !/\.(cts|c?js)$|(?<!\.d)\.ts$/.test(file);
  for (const part of ["package.json", "index.d.ts", "v4/classic", "v4/core"]) {
    cpSync(path.join(from, part), path.join(to, part), { recursive: true, filter });
  }
  mkdirSync(path.join(to, "v4", "locales"));
  writeFileSync(path.join(to, "v4", "locales", "index.d.ts"), "export {};\n");
}

/** Declarations of all modules that the library imports, in the sources' folders. */
function emit() {
  const folder = mkdtempSync(path.join(ROOT, "dist", "types-"));
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    incremental: false,
    allowJs: false,
    stripInternal: true,
    outDir: folder,
    rootDir: ROOT,
    paths: { "@/*": [`${ROOT}*`] },
  };
  const config = path.join(folder, "tsconfig.json");
  const files = [path.join(ROOT, ENTRY.replace(/\.d\.ts$/, ".ts"))];
  writeFileSync(
    config,
    JSON.stringify({ extends: path.join(ROOT, "tsconfig.json"), compilerOptions, include: [], files }),
  );
  const tsc = path.join(ROOT, "node_modules", ".bin", "tsc");
  const { status, stdout } = spawnSync(tsc, ["-p", config], { encoding: "utf8", shell: process.platform === "win32" });
  if (status !== 0) throw new Error(`The types of the library: ${stdout}`);
  return folder;
}

function follow(emitted, file, found) {
  if (found.has(file)) return;
  found.add(file);
  for (const [, , name] of readFileSync(path.join(emitted, file), "utf8").matchAll(SPECIFIER)) {
    const target = resolved(emitted, file, name);
    if (target !== undefined) follow(emitted, target, found);
  }
}

/** The declaration of a module's name, from the emitted folder; `undefined` for packages. */
function resolved(emitted, file, name) {
  const base = name.startsWith("@/")
    ? name.slice(2)
    : name.startsWith(".")
      ? path.posix.join(path.posix.dirname(file), name)
      : undefined;
  if (base === undefined) return undefined;
  return [`${base}.d.ts`, `${base}/index.d.ts`].find((one) => existsSync(path.join(emitted, one)));
}
