import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "@/lib/core/testing/runs";
import { crossCheck } from "@/verify/agents/codex/cross-check";
import { compactionsOf, differencesOf } from "@/verify/support/cross-check";

const text = fc
  .tuple(fc.constantFrom("[REDACTED_TEXT len=7]", "Is it ripe?", "梨", '"', "x"), fc.integer({ min: 1, max: 6 }))
  .map(([part, times]) => ({ type: "input_text", text: part.repeat(times) }));
/** A recorded image: inline, a link, or masked by the publisher of the file. */
const image = fc
  .constantFrom(
    `data:image/png;base64,${"A".repeat(4000)}`,
    "https://example.com/pear.png",
    "[REDACTED_IMAGE_URL len=928902]",
  )
  .map((url) => ({ type: "input_image", image_url: url }));
const typed = fc
  .array(fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: image }), { minLength: 1, maxLength: 5 })
  .map((content) => ({ type: "message", role: "user", content }));
const answer = {
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "It is not. ".repeat(30) }],
};

/** A session of typed messages, each followed by an answer. */
function sessionOf(messages: readonly object[]): Uint8Array {
  const meta = {
    type: "session_meta",
    payload: { id: "019c0000-0000-7000-8000-000000000001", cli_version: "0.142.2" },
  };
  const count = { input_tokens: 5000, cached_input_tokens: 0, output_tokens: 30, total_tokens: 5030 };
  const records = messages.flatMap((payload, index) => {
    const total = { ...count, input_tokens: 5000 * (index + 1), total_tokens: 5030 * (index + 1) };
    const info = { total_token_usage: total, last_token_usage: count, model_context_window: 258_400 };
    return [
      { type: "response_item", payload },
      { type: "response_item", payload: answer },
      { type: "event_msg", payload: { type: "token_count", info } },
    ];
  });
  const timestamp = "2026-03-02T09:00:00.000Z";
  return Buffer.from([meta, ...records].map((record) => JSON.stringify({ timestamp, ...record })).join("\n"));
}

it("the policy and the exact rules keep the same parts of messages with images at any budget", async () => {
  let compactions = 0;
  const sessions = fc.array(typed, { minLength: 6, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(sessions, fc.integer(), async (messages, seed) => {
      const source = { name: `random ${seed}`, bytes: () => sessionOf(messages), format: "codex" };
      const runs = await crossCheck(source, { cases: 4, seed });
      expect(differencesOf(runs)).toEqual([]);
      compactions += compactionsOf(runs);
    }),
    { numRuns: runs(10), seed: 3 },
  );
  expect(compactions).toBeGreaterThan(200);
});
