import { describe, expect, it } from "vitest";
import { NameTable } from "@/lib/core/base/name-table";
import { abandonedRecords, type Tree, type TreeNode } from "./trunk";

/**
 * A tree as text, a word for each record: `name<parent`, or the name alone for a root. The name's first letter gives the kind: `u` a typed prompt,
 * `r` a response with usage, `c` other conversation (a result, a response without usage), anything else structure. `name<~parent` is a logical
 * parent.
 */
function tree(text: string): { names: string[]; tree: Tree } {
  const ids = new NameTable();
  ids.index("elsewhere");
  const idOf = (name: string | undefined) => (name === undefined ? -1 : ids.index(name));
  const names = text.split(/\s+/).map((word) => word.split("<")[0] ?? "");
  const nodes: TreeNode[] = text.split(/\s+/).map((word, index) => {
    const [name = "", link] = word.split("<");
    const logical = link?.startsWith("~") === true;
    return {
      line: index + 1,
      uuid: idOf(name),
      parent: logical ? -1 : idOf(link),
      logicalParent: logical ? idOf(link?.slice(1)) : -1,
      conversation: /^[urc]/.test(name),
      prompt: name.startsWith("u"),
      answered: name.startsWith("r"),
    };
  });
  const node = (index: number): TreeNode => {
    const found = nodes[index];
    if (found === undefined) throw new RangeError(`no node ${index}`);
    return found;
  };
  const known = (uuid: number) => uuid === 0 || nodes.some((one) => one.uuid === uuid);
  return { names, tree: { length: nodes.length, ids: ids.names.length, known, node } };
}

function abandoned(text: string): { names: string; problems: string[] } {
  const built = tree(text);
  const problems: string[] = [];
  const rejected = abandonedRecords(built.tree, (code, line) => problems.push(`${code} ${line}`));
  return { names: built.names.filter((_, index) => rejected[index] === 1).join(" "), problems };
}

describe("keeps a fork as one trunk", () => {
  it.each([
    ["a chain", "u1 r1<u1 u2<r1 r2<u2"],
    ["parallel calls, the response on one result", "u1 r1<u1 c1<r1 r2<r1 c2<r2 r3<c2 u2<r3 r4<u2"],
    ["progress and hooks outside the conversation", "u1 p1<u1 r1<u1 h1<r1 u2<r1 r2<u2"],
    ["a prompt typed again without an answer", "u1 r1<u1 u2<r1 u3<r1 r3<u3"],
    ["a branch with a response but no prompt", "u1 r1<u1 c1<r1 r2<c1 u2<r1 r3<u2"],
    ["two roots", "u1 r1<u1 u2 r2<u2"],
    ["a boundary whose logical parent is missing", "u1 r1<u1 b1<~gone u2<b1 r2<u2"],
    ["a boundary with messages from before it", "u1 r1<u1 b1<~r1 c1<b1 u2<r1 r2<u2"],
  ])("%s", (_name, text) => {
    expect(abandoned(text).names).toBe("");
  });
});

describe("reads a fork as a rewind", () => {
  it.each([
    ["keeps the branch of the last record", "u1 r1<u1 u2<r1 r2<u2 u3<r1 r3<u3", "u2 r2"],
    ["decides by the last record, not the last branch", "u1 r1<u1 u2<r1 r2<u2 u3<r1 r3<u3 c2<r2", "u3 r3"],
    ["drops the branch with all its children", "u1 r1<u1 u2<r1 r2<u2 p2<r2 c2<p2 u3<r1 r3<u3", "u2 r2 p2 c2"],
    ["drops two of three branches", "u1 r1<u1 u2<r1 r2<u2 u3<r1 r3<u3 u4<r1 r4<u4", "u2 r2 u3 r3"],
    ["drops an unanswered third prompt too", "u1 r1<u1 u2<r1 r2<u2 u3<r1 u4<r1 r4<u4", "u2 r2 u3"],
    ["keeps structure outside the branches", "u1 r1<u1 h1<r1 u2<r1 r2<u2 u3<r1 r3<u3", "u2 r2"],
    ["drops a compaction with its branch", "u1 r1<u1 u2<r1 r2<u2 u3<r1 b1<~u3 r3<b1", "u2 r2"],
    ["handles a rewind within a kept branch", "u1 r1<u1 u2<r1 r2<u2 u3<r2 r3<u3 u4<r2 r4<u4", "u3 r3"],
    [
      "handles a rewind within a dropped branch",
      "u0 r0<u0 u1<r0 r1<u1 u2<r1 r2<u2 u3<r1 r3<u3 u4<r0 r4<u4",
      "u1 r1 u2 r2 u3 r3",
    ],
  ])("%s", (_name, text, expected) => {
    expect(abandoned(text).names).toBe(expected);
  });
});

describe("abandonedRecords with odd parents", () => {
  it("reports the record whose parent is missing from the file", () => {
    expect(abandoned("u1<gone r1<u1 c1<elsewhere").problems).toEqual(["missing-parent 1"]);
  });

  it("cuts a cycle and reads all of it", () => {
    expect(abandoned("u1<c3 c2<u1 c3<c2 r1<c3")).toEqual({ names: "", problems: ["parent-cycle 1"] });
    expect(abandoned("u1<u1")).toEqual({ names: "", problems: ["parent-cycle 1"] });
  });

  it("finds no rewind in a cycle or after a repeated uuid", () => {
    expect(abandoned("u1<r2 r1<u1 u2<r1 r2<u2 u3<r2 r3<u3").names).toBe("");
    expect(abandoned("u1 r1<u1 u2<r1 r2<u2 u1<r2 r3<u1 u4<r3 r4<u4").names).toBe("");
  });

  it("accepts records before their parents, and very deep chains", () => {
    expect(abandoned("r3<u3 u3<r1 r2<u2 u2<r1 r1<u1 u1").names).toBe("u3 r3".split(" ").reverse().join(" "));
    const deep = Array.from({ length: 50_000 }, (_, index) => (index === 0 ? "c0" : `c${index}<c${index - 1}`));
    expect(abandoned(deep.join(" ")).names).toBe("");
  });
});
