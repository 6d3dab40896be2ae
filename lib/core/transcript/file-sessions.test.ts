import fc from "fast-check";
import { expect, test } from "vitest";
import { FileSessions, subagentKey } from "./file-sessions";
import type { SessionMark } from "./reader";

/**
 * Makes a file's records from one word each. `A` belongs to session A, `.` has no mark, `!A` begins A, `A=r1` is record r1, `A<r1` follows it, `A~`
 * continues.
 */
function drawn(words: string): FileSessions {
  const sessions = new FileSessions(({ value }) => value.mark as SessionMark);
  for (const [index, word] of words.split(" ").entries()) add(sessions, word, index + 1);
  return sessions;
}

function add(sessions: FileSessions, word: string, line: number): void {
  sessions.add({ value: { mark: markOf(word) }, line, offset: line * 10, length: 10 });
}

function markOf(word: string): SessionMark {
  const [, begins, session, continues, id, follows] = /^(!?)(\w*)(~?)(?:=(\w+))?(?:<(\w+))?\.?$/.exec(word) ?? [];
  return {
    session: session === "" ? undefined : session,
    begins: begins === "!",
    continues: continues === "~",
    id,
    follows: [follows],
  };
}

function listed(sessions: FileSessions): string[] {
  return sessions.sessions().map(({ key, line, records }) => `${key} from ${line}: ${records}`);
}

test.each([
  ["A A A", ["A from 1: 3"]],
  ["A A B B", ["A from 1: 2", "B from 3: 2"]],
  ["A B A B", ["A from 1: 2", "B from 2: 2"]],
  [". . A . B .", ["A from 1: 4", "B from 5: 2"]],
  [". . .", ["1 from 1: 3"]],
  ["! ! .", ["1 from 1: 1", "2 from 2: 2"]],
  ["!A !A", ["A from 1: 1", "2 from 2: 1"]],
  ["A=r1 B=r2<r1 B=r3<r2", ["B from 1: 3"]],
  ["B=r2<r1 A=r1 A=r3<r1", ["A from 1: 3"]],
  ["A=r1 A=r2 B=r1 B=r2 B=r3", ["B from 1: 5"]],
  ["A=r1 B=r2 C=r3<r1", ["A from 1: 2", "B from 2: 1"]],
  ["A B~ B", ["B from 1: 3"]],
  ["A=r1<gone B=r2<gone2", ["A from 1: 1", "B from 2: 1"]],
])("the splitter finds the sessions of %s", (words, expected) => {
  expect(listed(drawn(words))).toEqual(expected);
});

test("a session whose id cannot be part of a URL is named by its number", () => {
  const sessions = new FileSessions(({ value }) => ({ session: String(value.id) }));
  const ids = ["../../etc/passwd", "2", "a~b", "ok-1", "x".repeat(81)];
  for (const [line, id] of ids.entries()) sessions.add({ value: { id }, line, offset: 0, length: 1 });
  expect(sessions.sessions().map(({ key }) => key)).toEqual(["1", "2", "3", "ok-1", "5"]);
  expect(sessions.sessions()[0]?.id).toBe("../../etc/passwd");
});

test("selectors assign each record to exactly one session, in file order", () => {
  const word = fc
    .tuple(fc.constantFrom("", "!"), fc.constantFrom("", "A", "B", "C"), fc.constantFrom("", "=r1", "=r2", "=r3"))
    .map((parts) => `${parts.join("")}.`);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
      const sessions = drawn(words.join(" "));
      const found = sessions.sessions();
      const taken = found.map(({ key }) => {
        const takes = sessions.choose(key)?.newSelector();
        return words.map(() => takes?.() === true);
      });
      for (const index of words.keys()) expect(taken.filter((one) => one[index]).length).toBe(1);
      expect(taken.map((one) => one.filter(Boolean).length)).toEqual(found.map(({ records }) => records));
      expect(taken.map((one) => one.indexOf(true) + 1)).toEqual(found.map(({ line }) => line));
      expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
      expect(sessions.choose("no such key")).toBeUndefined();
    }),
  );
});

test("listing sessions between records does not change the result", () => {
  const words = ["A=r1<r9", "B=r2", "B=r3", "A=r4", "B=r9<r2"];
  const before = drawn("A=r1<r9 B=r2 B=r3 A=r4");
  expect(listed(before)).toEqual(["A from 1: 2", "B from 2: 2"]);
  const { grouping } = before.choose("A") ?? {};
  expect(before.choose("A")?.grouping).toBe(grouping);
  add(before, "B=r9<r2", 5);
  expect(listed(before)).toEqual(listed(drawn(words.join(" "))));
  expect(before.choose("A")?.key).toBe("B");
  expect(before.choose("A")?.grouping).not.toBe(grouping);
});

test("the splitter keeps only the first 30 records of a session", () => {
  const sessions = new FileSessions(() => ({ session: "A" }));
  for (let line = 1; line <= 200; line++) sessions.add({ value: {}, line, offset: 0, length: 5 });
  const [only] = sessions.sessions();
  expect(only?.records).toBe(200);
  expect(only?.head.map(({ line }) => line)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

test("a subagent's records can be selected at any position, but it is not listed as a session", () => {
  const sessions = new FileSessions(
    () => ({ session: "A" }),
    ({ agent }) => (typeof agent === "string" ? agent : undefined),
  );
  const agents = [undefined, "x", "x", "y", undefined, "x"];
  const push = (agent: string | undefined, at: number) =>
    sessions.add({ value: { agent }, line: at + 1, offset: at * 10, length: 10 });
  agents.forEach(push);
  const chosen = sessions.choose("agent-x");
  const takes = chosen?.newSelector();
  expect(agents.map(() => takes?.())).toEqual([false, true, true, false, false, true]);
  expect(sessions.sessions()).toHaveLength(1);
  expect(sessions.choose("agent-z")).toBeUndefined();
  expect(sessions.choose("x")).toBeUndefined();
  push("x", agents.length);
  expect(takes?.()).toBe(true);
  expect(sessions.choose("agent-x")?.grouping).toBe(chosen?.grouping);
});

test("a subagent whose id cannot be part of a URL has no key", () => {
  expect(subagentKey("ag1")).toBe("agent-ag1");
  expect(subagentKey("a~b")).toBeUndefined();
  expect(subagentKey("../x")).toBeUndefined();
});
