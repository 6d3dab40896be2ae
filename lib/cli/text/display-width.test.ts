import { describe, expect, it } from "vitest";
import { aligned } from "./aligned";
import { cutStart, displayWidth, padEnd, padStart } from "./display-width";

describe("width in a terminal", () => {
  it("counts wide characters as two columns", () => {
    expect(displayWidth("修复登录")).toBe(8);
    expect(displayWidth("a→🙂")).toBe(4);
    expect(padEnd("修复", 6)).toBe("修复  ");
    expect(padStart("修复", 6)).toBe("  修复");
    expect(padEnd("too long", 3)).toBe("too long");
  });

  it("cuts a text at its start, between characters", () => {
    expect(cutStart("src/修复.ts", 11)).toBe("src/修复.ts");
    expect(cutStart("src/修复.ts", 9)).toBe("…/修复.ts");
    expect(cutStart("src/修复.ts", 7)).toBe("…复.ts");
    expect(cutStart("src/🙂", 3)).toBe("…🙂");
  });

  it("aligns columns of any script", () => {
    const table = aligned(
      ["what", "tokens"],
      [
        ["修复登录错误", 12],
        ["read_file", 345],
      ],
    );
    expect(table.split("\n")).toEqual(["what          tokens", "修复登录错误      12", "read_file        345"]);
    expect(new Set(table.split("\n").map(displayWidth))).toEqual(new Set([20]));
  });
});
