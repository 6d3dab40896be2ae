import { access, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { CliError, EXIT } from "../process/exit";
import { write } from "../text/output";

/** `new-policy [FILE]`: writes a starter policy and its test. Never replaces a file. */
export async function newPolicy(file: string): Promise<void> {
  const name = basename(file, extname(file));
  if (extname(file) !== ".mjs" || !/^[a-zA-Z][\w-]{0,63}$/.test(name)) {
    throw new CliError(
      EXIT.badArguments,
      `${file}: a policy's file name must look like my-policy.mjs; the name is the policy's id.`,
    );
  }
  const test = join(dirname(file), `${name}.test.mjs`);
  for (const path of [file, test]) {
    if (await exists(path)) throw new CliError(EXIT.badArguments, `${path} already exists.`);
  }
  await written(file, policyText(name));
  await written(test, testText(name));
  const next = [
    `npx context-replay check-policy ${file}`,
    `npx context-replay replay SESSION --policy ${file.includes("/") ? file : `./${file}`}`,
    `npm install --save-dev context-replay && node --test ${test}`,
  ];
  await write(`${file} and ${test} are written. Next:\n${next.map((line) => `  ${line}\n`).join("")}`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function written(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.failed, `${path} cannot be written (${error.code}).`);
  });
}

function policyText(name: string): string {
  return `// @ts-check
/**
 * A compaction policy for Context Replay, in one file. Before every request, \`before\` returns the compaction, or undefined for none. A policy runs
 * in a sandbox without files, network, clock and random numbers, and sees the sizes and kinds of items, not their texts.
 */

/** Values of the column \`kind\`. */
const TOOL_RESULT = 4;

/** @type {import("context-replay").Policy} */
const policy = {
  id: "${name}",
  label: "${name}",
  presets: ["default"],

  // Sliders on the page, \`--set triggerShare=0.7\` and \`--vary triggerShare=0.5:0.9:0.1\` on the command line follow from these.
  settings: (_preset, { window, recordedSummary }) => [
    {
      key: "triggerShare",
      label: "Compacts at",
      source: { kind: "ours" },
      decidesWhen: true,
      type: "number",
      unit: "share",
      default: 0.8,
      min: 0.1,
      max: 1,
      step: 0.01,
    },
    {
      key: "keepTokens",
      label: "Keeps the newest",
      source: { kind: "ours" },
      type: "number",
      unit: "tokens",
      default: Math.min(20000, window),
      min: 0,
      max: window,
      step: 500,
    },
    {
      key: "summaryTokens",
      label: "Size of a summary",
      source: { kind: "ours" },
      type: "number",
      unit: "tokens",
      default: recordedSummary?.mean ?? 1500,
      min: 0,
      max: 20000,
      step: 100,
    },
  ],

  // Drawn as a line on the page.
  threshold: ({ window, settings }) => Math.floor(window * Number(settings.triggerShare)),

  begin: ({ window, settings }) => {
    // State that lasts from request to request goes here.
    const threshold = Math.floor(window * Number(settings.triggerShare));
    const summaryTokens = Number(settings.summaryTokens);

    return {
      before(view) {
        if (view.history < threshold) return undefined;
        const from = newestFrom(view, Number(settings.keepTokens));
        return {
          kept: from < view.items.length ? [[from, view.items.length]] : [],
          truncated: [],
          cleared: [],
          added: [{ kind: "summary", name: "summary", category: "summaries", tokens: summaryTokens, label: "summary" }],
          addedAt: "front",
          outcome: "summary",
          summaryTokens,
          summaryCallTokens: view.history,
        };
      },
    };
  },
};

/**
 * Position of the first kept item. The last item is always kept, and a tool result is kept only with its call.
 * @param {import("context-replay").ContextView} view
 * @param {number} budget
 */
function newestFrom(view, budget) {
  const items = view.items.list();
  let from = items.length - 1;
  let tokens = view.tokensOf(items[from] ?? 0);
  while (from > 0 && tokens + view.tokensOf(items[from - 1] ?? 0) <= budget) {
    from -= 1;
    tokens += view.tokensOf(items[from] ?? 0);
  }
  for (let position = items.length - 1; position >= from; position--) {
    const item = items[position] ?? 0;
    if (view.columns.kind[item] !== TOOL_RESULT) continue;
    const call = items.indexOf(view.columns.pair[item] ?? -1);
    if (call >= 0 && call < from) from = call;
  }
  return Math.max(0, from);
}

export default policy;
`;
}

function testText(name: string): string {
  return `import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { open, policies, replay } from "context-replay";
import policy from "./${name}.mjs";

// A recording with twenty responses of a thousand tokens each.
const messages = Array.from({ length: 40 }, (_, at) =>
  at % 2 === 0 ? { role: "user", content: "Go on." } : { role: "assistant", content: "word ".repeat(800) },
);
const recording = join(mkdtempSync(join(tmpdir(), "${name}-")), "session.jsonl");
writeFileSync(recording, messages.map((message) => JSON.stringify(message)).join("\\n"));

test("compacts at its threshold, and keeps the newest items", async () => {
  policies.add(policy);
  const choice = { policy: policy.id, window: 16_000, settings: { keepTokens: 4_000 } };
  const { compactions, thresholdTokens } = await replay(await open(recording), choice);
  assert.ok(compactions.length > 0);
  for (const { tokensBefore, tokensAfter } of compactions) {
    assert.ok(tokensBefore >= (thresholdTokens ?? 0));
    assert.ok(tokensAfter <= 4_000 + 1_500 + 200);
  }
});
`;
}
