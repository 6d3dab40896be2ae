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
};

export default config;
