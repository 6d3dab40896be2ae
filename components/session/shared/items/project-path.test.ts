import { describe, expect, it } from "vitest";
import { fromProject } from "./preview";

describe("a preview line relative to the project", () => {
  const project = "/home/ada/shop";

  it("has paths relative to the project's folder", () => {
    expect(fromProject("/home/ada/shop/src/prices.ts", project)).toBe("src/prices.ts");
    expect(fromProject("diff /home/ada/shop/a /home/ada/shop/b", `${project}/`)).toBe("diff a b");
    expect(fromProject("C:\\shop\\src\\a.ts", "C:\\shop")).toBe("src\\a.ts");
  });

  it("leaves out a `cd` into the project's folder", () => {
    expect(fromProject("cd /home/ada/shop && npm test", project)).toBe("npm test");
    expect(fromProject('cd "/home/ada/shop" && cat /home/ada/shop/a', project)).toBe("cat a");
    expect(fromProject("cd /home/ada/shop/src && ls", project)).toBe("cd src && ls");
  });

  it("keeps paths of other folders, the project's own name, and all paths of an unknown project", () => {
    for (const line of ["/home/ada/shop2/a.ts", "/home/ada/shop", "ls /home/ada"]) {
      expect(fromProject(line, project)).toBe(line);
    }
    expect(fromProject("/src/a.ts", null)).toBe("/src/a.ts");
    expect(fromProject("/src/a.ts", "/")).toBe("/src/a.ts");
  });
});
