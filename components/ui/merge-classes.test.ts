import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { twMerge } from "tailwind-merge";
import { expect, test } from "vitest";
import { mergeClasses } from "./cn";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Words in strings that are not classes here: attributes of drawings, and keys. */
const OTHERS = /^font-(?:family|weight|size|style)$|^ordinal$/;

/** The words of all strings in the sources that the library takes for classes, without the variants before a colon. */
function classesInSources(): readonly string[] {
  // Of classes that differ only in a value in brackets, one is enough.
  const words = new Map<string, string>();
  for (const folder of ["app", "components"]) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name) || /\.test\.|^ui.cn\./.test(name)) continue;
      const text = readFileSync(join(ROOT, folder, name), "utf8");
      for (const [, quoted = ""] of text.matchAll(/["`]([^"`\n]*)["`]/g)) {
        for (const word of quoted.split(/\s+/)) {
          const bare = word.replace(/^(?:[^[\]()]*|.*?\]):(?=[^:]+$)/, "");
          words.set(bare.replace(/\[[^\]]*[a-z(][^\]]*\]/, "[]"), bare);
        }
      }
    }
  }
  return [...words.values()].filter((word) => word !== "" && !OTHERS.test(word) && twMerge(`${word} ${word}`) === word);
}

test("of any two classes in the sources the same one wins as with tailwind-merge", () => {
  const classes = classesInSources();
  expect(classes.length).toBeGreaterThan(400);
  const different: string[] = [];
  for (const one of classes) {
    for (const other of classes) {
      const both = `${one} ${other}`;
      if (one !== other && mergeClasses(both) !== twMerge(both)) different.push(both);
    }
  }
  expect(different).toEqual([]);
});

test("classes replace each other only under the same condition", () => {
  expect(mergeClasses("p-2 hover:p-3 md:px-2 p-4 md:p-1")).toBe("hover:p-3 p-4 md:p-1");
  expect(mergeClasses("floating appear text-sm text-t1 text-xs")).toBe("floating appear text-t1 text-xs");
});
