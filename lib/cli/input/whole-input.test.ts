import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { wholeInput } from "../commands/count";

const input = (...chunks: readonly string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

it("a command accepts inputs up to the maximum string length, and rejects longer ones", async () => {
  expect(String(await wholeInput(input("会", "话ab"), 8))).toBe("会话ab");
  expect(String(await wholeInput(input(), 8))).toBe("");
  await expect(wholeInput(input("12345", "67890"), 8)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/^standard input is more than .+; --jsonl counts line by line\.$/),
  });
});
