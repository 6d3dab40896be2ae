import { expect, it } from "vitest";
import { problemCode, toldProblems } from "./source-problems";

it("errors of the file system are told by what a person can do about them", () => {
  const error = (code: string) => Object.assign(new Error(code), { code });
  expect(["EACCES", "EPERM", "ELOOP", "EIO", "ENOENT"].map((code) => problemCode(error(code)))).toEqual([
    ...["no-permission", "no-permission", "cycle", "unreadable", undefined],
  ]);
});

it("of many problems the first are told, and how many there are", () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ code: "cycle" as const, path: `${at}` }));
  const { problems, problemsTotal } = toldProblems(many);
  expect([problems.length, problemsTotal]).toEqual([20, 50]);
});
