import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { put, temporaryFolder } from "../testing/files";
import { hasPolicies, policiesFolder, policiesOf } from "./policy-folder";

const folder = temporaryFolder();
const env = { CONTEXT_REPLAY_POLICIES: folder };

it("only the policies of a folder are listed", () => {
  expect(hasPolicies(env)).toBe(false);
  put(folder, "second.mjs", "export default 2;");
  put(folder, "first.mjs", "export default 1;");
  for (const name of ["first.test.mjs", "notes.md", "1.mjs", "a b.mjs", ".hidden.mjs"]) put(folder, name, "");
  put(folder, "large.mjs", " ".repeat(2 ** 20 + 1));
  mkdirSync(join(folder, "below.mjs"));
  expect(hasPolicies(env)).toBe(true);
  expect(policiesOf(env)).toEqual([
    { id: "first", file: "first.mjs", text: "export default 1;" },
    { id: "second", file: "second.mjs", text: "export default 2;" },
  ]);
});

it("the default policy folder is in the user's configuration folder", () => {
  expect(policiesFolder({ HOME: "/home/me" })).toBe("/home/me/.config/context-replay/policies");
  expect(policiesFolder({ HOME: "/home/me", XDG_CONFIG_HOME: "/conf" })).toBe("/conf/context-replay/policies");
  expect(policiesOf({ HOME: join(folder, "nobody") })).toEqual([]);
});
