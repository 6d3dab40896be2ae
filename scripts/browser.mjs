// Finds a Chromium for the end-to-end tests, or installs one if possible.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DEBIAN_PACKAGES = ["chromium-headless-shell", "fonts-wqy-microhei"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** The path of a Chromium: `CHROMIUM_PATH`, else Playwright's own, else the system's. On Debian, as root, it installs one. */
export async function findBrowser() {
  return process.env.CHROMIUM_PATH ?? (await playwrightsOwn()) ?? onPath() ?? installed();
}

/** Explains how to install Chromium. */
export const NO_BROWSER =
  "no Chromium was found for the end-to-end tests: run `npx playwright install chromium`, or set CHROMIUM_PATH.";

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...candidates, MAC].find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // It is missing, or not executable: try the next candidate.
  }
}

async function installed() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  process.stderr.write(`installing ${DEBIAN_PACKAGES.join(" and ")} for the end-to-end tests …\n`);
  await aptGet("update", "-q");
  await aptGet("install", "-y", "-q", "--no-install-recommends", ...DEBIAN_PACKAGES);
  return onPath();
}

/** Runs to its end, with any result: the caller looks for the installed file afterwards. */
async function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const running = spawn("apt-get", args, { stdio: ["ignore", 2, 2], env });
  await once(running, "exit").catch(() => undefined);
}
