import { expect, it } from "vitest";
import { listedProblems, problemCode } from "./source-problems";

it("file system errors are reported with advice", () => {
  const error = (code: string) => Object.assign(new Error(code), { code });
  expect(["EACCES", "EPERM", "ELOOP", "EIO", "ENOENT"].map((code) => problemCode(error(code)))).toEqual([
    ...["no-permission", "no-permission", "cycle", "unreadable", undefined],
  ]);
});

it("only the first problems are listed, with the total number", () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ code: "cycle" as const, path: `${at}` }));
  const { problems, problemsTotal } = listedProblems(many);
  expect([problems.length, problemsTotal]).toEqual([20, 50]);
});
