import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { joinServerChunks } from "./server-chunks.mjs";

const RUNTIME = "[turbopack]_runtime.js";

let server = "";
beforeEach(() => {
  server = mkdtempSync(path.join(tmpdir(), "server-chunks-"));
  for (const folder of ["chunks/ssr", "app"]) mkdirSync(path.join(server, folder), { recursive: true });
});
afterEach(() => rmSync(server, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(path.join(server, file), text);
}

/** The modules of a joined chunk by their names. */
function modulesOf(folder: string): ReadonlyMap<unknown, string> {
  const entries: readonly unknown[] = createRequire(import.meta.url)(path.join(server, folder, "all.js"));
  const found = new Map<unknown, string>();
  let names: unknown[] = [];
  for (const entry of entries) {
    if (typeof entry !== "function") names.push(entry);
    else {
      for (const name of names) found.set(name, String(entry));
      names = [];
    }
  }
  return found;
}

describe("the joined server chunks of the pages", () => {
  it("contain every module once", () => {
    write("chunks/a.js", "module.exports=[1,a=>{a.one},2,3,a=>{a.two}]");
    write("chunks/b.js", "module.exports=[2,3,b=>{b.two},4,(a,b)=>{a.four}]");
    joinServerChunks(server, brotliCompressSync);
    expect([...modulesOf("chunks")]).toEqual([
      [1, "a=>{a.one}"],
      [2, "a=>{a.two}"],
      [3, "a=>{a.two}"],
      [4, "(a,b)=>{a.four}"],
    ]);
    expect(readdirSync(path.join(server, "chunks")).sort()).toEqual(["all.js", "all.js.br", "ssr"]);
  });

  it("are not compressed in a checkout, and packaging does not change their modules", () => {
    write("chunks/a.js", "module.exports=[1,a=>{a.one}]");
    write("chunks/b.js", "module.exports=[1,b=>{b.one},2,b=>{b.two}]");
    joinServerChunks(server);
    expect(readdirSync(path.join(server, "chunks")).sort()).toEqual(["all.js", "ssr"]);
    const before = readFileSync(path.join(server, "chunks", "all.js"), "utf8");
    joinServerChunks(server);
    expect(readFileSync(path.join(server, "chunks", "all.js"), "utf8")).toBe(before);
  });

  it("are requested once, under their common name", () => {
    const lists = '["server/chunks/ssr/a.js","server/chunks/ssr/b.js"]';
    write("chunks/ssr/a.js", `module.exports=[1,a=>{a.v(b=>Promise.all(${lists}.map(b=>a.l(b))).then(()=>b(2)))}]`);
    write(
      "chunks/ssr/b.js",
      'module.exports=[1,b=>{b.v(a=>Promise.all(["server/chunks/ssr/b.js"].map(a=>b.l(a))).then(()=>a(2)))},2,a=>{}]',
    );
    write(
      "app/page.js",
      `var R=require("../chunks/ssr/${RUNTIME}")("server/app/page.js")\nR.c("server/chunks/ssr/a.js")\nR.c("server/chunks/ssr/b.js")\nR.m(1)\n`,
    );
    write(`chunks/ssr/${RUNTIME}`, `var RUNTIME_PUBLIC_PATH = "server/chunks/ssr/${RUNTIME}";`);
    joinServerChunks(server, brotliCompressSync);
    expect(modulesOf("chunks/ssr").get(1)).toBe(
      'a=>{a.v(b=>Promise.all(["server/chunks/ssr/all.js"].map(b=>a.l(b))).then(()=>b(2)))}',
    );
    const text = (file: string) => readFileSync(path.join(server, file), "utf8");
    expect(text("app/page.js").split("\n").slice(1, 3)).toEqual(['R.c("server/chunks/ssr/all.js")', "R.m(1)"]);
    expect(text(`chunks/ssr/${RUNTIME}`)).toContain(`"server/chunks/ssr/${RUNTIME}"`);
  });

  it("contain every module once even if the build lists chunks line by line", () => {
    const module = (chunks: readonly string[]) => `a => a.v(() => Promise.all([\n  ${chunks.join(",\n  ")}\n]))`;
    const lists = [['"server/chunks/a.js"', '"server/chunks/b.js"'], ['"server/chunks/c.js"']];
    for (const [at, chunks] of lists.entries()) write(`chunks/${at}.js`, `module.exports=[1,${module(chunks)}]`);
    joinServerChunks(server, brotliCompressSync);
    expect([...modulesOf("chunks")]).toEqual([[1, module(['"server/chunks/all.js"'])]]);
  });

  it("are not made if one name stands for two modules", () => {
    write("chunks/a.js", "module.exports=[1,a=>{a.one}]");
    write("chunks/b.js", "module.exports=[1,a=>{a.another}]");
    expect(() => joinServerChunks(server, brotliCompressSync)).toThrow("The modules 1 are two different ones.");
  });

  it("leave out chunks that no page names", () => {
    write("chunks/ssr/tab.js", "module.exports=[1,a=>{a.tab}]");
    write("chunks/ssr/page.js", "module.exports=[2,a=>{a.page}]");
    write("app/page.js", 'R.c("server/chunks/ssr/page.js")\n');
    // A list of all files that the build has read is not a page.
    write("app/page.js.nft.json", '{"files":["../chunks/ssr/tab.js"]}');
    joinServerChunks(server, brotliCompressSync);
    expect([...modulesOf("chunks/ssr").keys()]).toEqual([2]);
  });
});
