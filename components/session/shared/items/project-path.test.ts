import { describe, expect, it } from "vitest";
import { fromProject } from "./preview";

describe("a line seen from the project", () => {
  const project = "/home/ada/shop";

  it("has paths of the project from there on", () => {
    expect(fromProject("/home/ada/shop/src/prices.ts", project)).toBe("src/prices.ts");
    expect(fromProject("diff /home/ada/shop/a /home/ada/shop/b", `${project}/`)).toBe("diff a b");
    expect(fromProject("C:\\shop\\src\\a.ts", "C:\\shop")).toBe("src\\a.ts");
  });

  it("does not go there first", () => {
    expect(fromProject("cd /home/ada/shop && npm test", project)).toBe("npm test");
    expect(fromProject('cd "/home/ada/shop" && cat /home/ada/shop/a', project)).toBe("cat a");
    expect(fromProject("cd /home/ada/shop/src && ls", project)).toBe("cd src && ls");
  });

  it("leaves other folders, the project's own name, and everything where no project is known", () => {
    for (const line of ["/home/ada/shop2/a.ts", "/home/ada/shop", "ls /home/ada"]) {
      expect(fromProject(line, project)).toBe(line);
    }
    expect(fromProject("/src/a.ts", null)).toBe("/src/a.ts");
    expect(fromProject("/src/a.ts", "/")).toBe("/src/a.ts");
  });
});
