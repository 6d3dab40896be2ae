import { expect, it } from "vitest";
import { callArguments } from "./arguments";
import { isCheck, isCheckingCommand } from "./checks";
import { significantLines, withoutReminders } from "./lines";
import { pathKey, pathsIn } from "./paths";

it("lines are compared without their number, one diff sign and surrounding white space", () => {
  const line = "const answer = compute(input);";
  for (const shown of [
    line,
    `   12→${line}`,
    `12\t${line}`,
    `12:  ${line}`,
    `+${line}`,
    `  -  ${line}  `,
    `7:-${line}`,
  ]) {
    expect(significantLines(shown)).toEqual(shown === `  -  ${line}  ` ? [`-  ${line}`] : [line]);
  }
});

it("lines count from twelve letters or digits of any script on", () => {
  expect(significantLines("}\n});\nreturn null;\n// -------------------- //\nabcdefghijkl")).toEqual(["abcdefghijkl"]);
  expect(significantLines("这一行一共有十二个汉字呢")).toEqual(["这一行一共有十二个汉字呢"]);
  expect(significantLines("这一行只有八个字 !!!!!!")).toEqual([]);
});

it("reminders are removed, but not the text after an unclosed one", () => {
  expect(withoutReminders("a<system-reminder>x\ny</system-reminder>b<system-reminder>z</system-reminder>")).toBe("ab");
  expect(withoutReminders("a<system-reminder>b")).toBe("a<system-reminder>b");
});

it("paths are found, and texts that only look like one are ignored", () => {
  const paths = (text: string) => [...pathsIn(text)];
  expect(paths("see /etc/app/conf, src/a.ts:12 and ~/notes/x... or ./lib/b.test.ts.")).toEqual([
    ...["/etc/app/conf", "src/a.ts", "~/notes/x", "./lib/b.test.ts"],
  ]);
  expect(paths("https://example.com/a.ts 2>/dev/null and/or 1/2 a.ts /single ./.gitignore lib/.ts ../..")).toEqual([]);
});

it("two paths are equal if their last two parts are, but not if only the file's name is", () => {
  expect(pathKey("/home/me/app/src/a.ts")).toBe(pathKey("./src/a.ts"));
  expect(pathKey("lib/a.ts")).not.toBe(pathKey("src/a.ts"));
});

it("checks are recognised by the first word of the command", () => {
  const checks = [
    ...["npm test", "pnpm run test:unit", "npx vitest run", "cd app && go test ./...", "CI=1 timeout 60 cargo clippy"],
    ...["git -C sub status", "git diff HEAD~1", "python -m pytest -q", "uv run pytest", "./gradlew build", "bun t"],
    ...["cd /a/b\nmake", "npm exec tsc", "npm --prefix web run lint", "poetry run mypy ."],
  ];
  for (const command of checks) expect([command, isCheckingCommand(command)]).toEqual([command, true]);
  const others = [
    ...[
      "cat test.ts",
      "git show HEAD",
      "ls build",
      "echo npm test",
      "npm install",
      "go run .",
      "rg -n lint",
      "python x.py",
    ],
    ...["sed -n 1,9p Makefile", "node test.js", "git -C status log.txt"],
  ];
  for (const command of others) expect([command, isCheckingCommand(command)]).toEqual([command, false]);
});

it("commands are found only in calls of shells, in any of their formats", () => {
  expect(isCheck("Bash", { command: "npm test" })).toBe(true);
  expect(isCheck("exec_command", { cmd: "npm test" })).toBe(true);
  expect(isCheck("shell", { command: ["bash", "-lc", "npm test"] })).toBe(true);
  expect(isCheck("shell", { command: ["git", "status"] })).toBe(true);
  expect(isCheck("Read", { command: "npm test" })).toBe(false);
  expect(isCheck("Bash", "npm test")).toBe(false);
});

it("names in arguments count as used, except in written or replaced text", () => {
  const edit = { file_path: "/a/b.ts", old_string: "import x from '/c/d.ts'", new_string: "/e/f.ts" };
  const { used, replaced, texts } = callArguments(JSON.stringify(edit));
  expect(used).toEqual(["/a/b.ts"]);
  expect(replaced).toEqual([edit.old_string]);
  expect(texts).toHaveLength(3);
  const several = callArguments(JSON.stringify({ path: "/a/b.ts", edits: [{ oldText: "one" }, { oldText: "two" }] }));
  expect([several.used, several.replaced]).toEqual([["/a/b.ts"], ["one", "two"]]);
  // The same name deeper down is not a payload: a task of a list is not written to a file.
  expect(callArguments(JSON.stringify({ todos: [{ content: "mend src/a.ts" }] })).used).toEqual(["mend src/a.ts"]);
});

it("the file names of a patch count as used, its context and removed lines as replaced", () => {
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n context\n-gone\n+import '/x/y.ts'\n*** End Patch";
  for (const text of [patch, JSON.stringify({ input: patch }), JSON.stringify({ command: ["apply_patch", patch] })]) {
    const { used, replaced } = callArguments(text);
    expect(used.at(-1)).toBe("*** Update File: src/a.ts");
    expect(replaced).toEqual([" context\n-gone"]);
  }
});

it("calls with the same arguments in another order are equal", () => {
  expect(callArguments('{"a":{"x":1,"y":[2]},"b":null}').key).toBe(callArguments('{"b":null,"a":{"y":[2],"x":1}}').key);
  expect(callArguments('{"a":[1,2]}').key).not.toBe(callArguments('{"a":[2,1]}').key);
});
