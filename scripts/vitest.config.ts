// One vitest project for the whole workspace; tests stand beside their package in `test/`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["grammar/test/**/*.test.ts", "packages/*/test/**/*.test.ts", "samples/**/*.test.ts", "scripts/test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
