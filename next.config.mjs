// @ts-check

/** @type {import("next").NextConfig} */
const config = {
  // They read files beside their own code, which a bundle would not find.
  serverExternalPackages: ["piscina", "js-tiktoken"],
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
};

export default config;
