import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The tests that run against each mutant; `run.ts` names them. Whole replays would take too long for each mutant. */
export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("../..", import.meta.url)) } },
  test: {
    include: (process.env.MUTATION_TESTS ?? "lib/agents/*/*.test.ts").split(" "),
    exclude: ["**/recordings.test.ts", "**/cross-check.test.ts"],
    testTimeout: 30_000,
  },
});
