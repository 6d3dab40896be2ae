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
  // Pages get their messages taken apart (app/i18n/compiled.ts), so nothing that parses messages is sent along.
  turbopack: { resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
};

export default config;
