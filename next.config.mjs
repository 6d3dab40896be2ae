// @ts-check

/** @type {import("next").NextConfig} */
const config = {
  // They read files beside their own code, which a bundle would not find.
  serverExternalPackages: ["piscina", "js-tiktoken", "libsql", "node-sqlite3-wasm", "pg", "pg-boss"],
  // `npm test` checks types, of tests too; a person who starts the dashboard need not wait for it.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  experimental: {
    // What makes later builds quicker takes a quarter of this one; a test run in a new checkout builds once.
    turbopackFileSystemCacheForBuild: process.env.CONTEXT_REPLAY_BUILDS_ONCE === undefined,
    // `serve` asks for what a first visit needs as soon as it listens; whoever comes before waits for that alone.
    preloadEntriesOnStart: false,
    // To minify what several routes have in common takes as long for each, a third of the build. What is joined of them is minified once.
    serverMinification: false,
    // Few large parts are packed better than many small ones; to write their parts too would make the package larger by a tenth.
    turbopackChunking: {
      firstPageLoadPriority: 1,
      requestCost: 2_000_000,
      minChunkSize: 400_000,
      maxMergeChunkSize: 4_000_000,
      generateComponentChunks: false,
    },
  },
  // Pages get their messages taken apart (app/i18n/compiled.ts), so nothing that parses messages is sent along.
  turbopack: { resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
};

export default config;
