import { expect, it } from "vitest";
import { commandName } from "./checks";

it.each([
  ["cd /shop && git -C sub diff HEAD~1", "git diff"],
  ["TOKEN=secret timeout 20 npm run build -- --all", "npm run build"],
  ["/usr/bin/cat README.md", "cat"],
  ["npx vitest run a.test.ts", "vitest"],
  ["cargo --offline test", "cargo test"],
])("a call of %s runs %s", (command, name) => {
  expect(commandName({ command })).toBe(name);
  expect(commandName({ cmd: ["bash", "-lc", command] })).toBe(name);
});

it("a call without a command has no name", () => {
  expect([commandName({ chars: "y" }), commandName({ command: " " }), commandName(undefined)]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});
