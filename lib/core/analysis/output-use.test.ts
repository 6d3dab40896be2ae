import { describe, expect, it } from "vitest";
import { OutputUseBuilder } from "./output-use";

type Line = readonly [kind: "call" | "result" | "answer" | "typed" | "context", text: string, tool?: string];

/** Use of the outputs of a session with one block a message; every result answers the call before it. */
function measuredUse(...lines: readonly Line[]) {
  const builder = new OutputUseBuilder(lines.length);
  let calls = 0;
  lines.forEach(([kind, text, tool = "Bash"], row) => {
    if (kind === "call") calls += 1;
    const callId = String(calls);
    if (kind === "call")
      builder.message({ origin: "response", blocks: [{ kind: "tool_call", callId, tool }] }, [text], row);
    else if (kind === "result")
      builder.message({ origin: "tool", blocks: [{ kind: "tool_result", callId, tool }] }, [text], row);
    else builder.message({ origin: kind === "answer" ? "response" : kind, blocks: [{ kind: "text" }] }, [text], row);
  });
  const { fresh, used } = builder.finish() ?? { fresh: [], used: [] };
  return { fresh: [...fresh], used: [...used] };
}

const TESTS = JSON.stringify({ command: "cd app && npm test" });

describe("the output of a check", () => {
  it("has as new terms only those that no earlier text contains", () => {
    // "passed" is known, "wallet" and "cart" are new, and "carts" is the same word as "cart" only in its first six letters.
    expect(
      measuredUse(["typed", "have they passed?"], ["call", TESTS], ["result", "passed cart wallet"]).fresh,
    ).toEqual([0, 0, 2]);
  });

  it("counts as used if a later answer, call or typed message contains a new term or names a file in it", () => {
    const usedIn = (line: Line) =>
      measuredUse(["call", TESTS], ["result", "wallet authenticated src/b.test.ts"], line).used[1];
    expect(usedIn(["answer", "All tests are fine."])).toBe(0);
    expect(usedIn(["answer", "The Authentication is fine."])).toBe(1);
    expect(usedIn(["typed", "look at myWallet"])).toBe(1);
    expect(usedIn(["call", '{"file_path":"/x/src/b.test.ts"}', "Read"])).toBe(1);
    expect(usedIn(["context", "wallet"])).toBe(0);
  });

  it("gives no evidence if the command also prints content that is read", () => {
    for (const command of ["npm test && cat wallet.ts", "npm test | grep -A5 wallet", "git diff", "ls -R"]) {
      expect(measuredUse(["call", JSON.stringify({ command })], ["result", "wallet cart"]).fresh).toEqual([0, 0]);
    }
    for (const command of ["npm install", "cd a; npx tsc --noEmit; echo done", "git checkout main", "FOO=1 make"]) {
      expect(measuredUse(["call", JSON.stringify({ command })], ["result", "wallet basket"]).fresh).toEqual([0, 2]);
    }
  });

  it("continues in the output of a tool that waits for the command", () => {
    const running = "Process running with session ID 4711";
    const wait = JSON.stringify({ session_id: 4711, chars: "" });
    const waited: readonly Line[] = [
      ["call", wait, "write_stdin"],
      ["result", "wallet basket"],
    ];
    expect(measuredUse(["call", TESTS], ["result", running], ...waited).fresh[3]).toBe(2);
    expect(measuredUse(["call", '{"command":"node server.js"}'], ["result", running], ...waited).fresh[3]).toBe(0);
  });
});
