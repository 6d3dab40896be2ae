import { expect, it } from "vitest";
import { filesOfCall } from "../read/blocks";

it.each([
  ["exec_command", '{"cmd":"cat src/pear.ts"}', ["src/pear.ts"]],
  ["exec_command", `{"cmd":"sed -n '1,80p' src/pear.ts"}`, ["src/pear.ts"]],
  ["exec_command", '{"cmd":"head -n 20 notes.md | wc -l"}', ["notes.md"]],
  ["exec_command", '{"cmd":"nl -ba notes.md"}', ["notes.md"]],
  ["exec_command", '{"cmd":"cat *.md"}', []],
  ["exec_command", '{"cmd":"rg pear src"}', []],
  ["shell", '{"command":["bash","-lc","cat a.txt"]}', ["a.txt"]],
  ["shell", '{"command":["cat","a.txt"]}', ["a.txt"]],
  ["shell", '{"command":["apply_patch","*** Begin Patch\\n*** Add File: b.txt\\n+b\\n*** End Patch"]}', ["b.txt"]],
  ["apply_patch", "*** Begin Patch\n*** Update File: a.ts\n*** Delete File: b.ts\n*** End Patch", ["a.ts", "b.ts"]],
  ["apply_patch", '{"patch":"*** Begin Patch\\n*** Update File: a.ts\\n*** End Patch"}', ["a.ts"]],
  ["view_image", '{"path":"tree.png"}', ["tree.png"]],
  ["exec_command", '{"cmd":"cat src/pe', []],
  ["update_plan", "", []],
])("the files named by %s %s are found", (tool, args, files) => {
  expect(filesOfCall(tool, args)).toEqual(files);
});
