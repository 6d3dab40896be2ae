import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)) } },
  test: { include: ["{lib,components,bin,bench,.ci,app}/**/*.test.{ts,tsx}"], testTimeout: 30_000 },
});
