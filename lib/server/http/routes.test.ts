import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { config } from "@/proxy";
import { contentSecurityPolicy } from "./page-policy";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const API = join(process.cwd(), "app", "api");

function routeFiles(): string[] {
  return readdirSync(API, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(^|[\\/])route\.[jt]sx?$/.test(name),
  );
}

/** Exported methods of a route file that were not made by `handler(`. */
function unwrapped(source: string): string[] {
  const names = [...source.matchAll(/export\s+(?:async\s+)?(?:const|let|var|function\*?)\s+(\w+)([^\n]*)/g)]
    .filter(([, name, rest]) => METHODS.includes(name ?? "") && !/^\s*=\s*handler[<(]/.test(rest ?? ""))
    .map(([, name]) => name ?? "");
  const listed = /export\s*(?:\{|\*|default)/.test(source) ? ["an export list"] : [];
  return [...names, ...listed];
}

describe("API routes", () => {
  it.each(routeFiles())("%s answers only through the wrapper", (name) => {
    const source = readFileSync(join(API, name), "utf8");
    expect(METHODS.some((method) => source.includes(`export const ${method} = handler`))).toBe(true);
    expect(unwrapped(source)).toEqual([]);
  });

  it("are all there", () => {
    expect(routeFiles().length).toBeGreaterThanOrEqual(12);
  });

  it.each([
    "export async function GET() {}",
    "export const POST = async () => new Response();",
    "export const GET = unsafe(handler(x));",
    "export { GET } from './other';",
    "export function* DELETE() {}",
  ])("would be found unwrapped: %s", (source) => {
    expect(unwrapped(source)).toHaveLength(1);
  });
});

describe("proxy", () => {
  const [matcher = ""] = config.matcher;
  const covers = (path: string) => new RegExp(`^${matcher}$`).test(path);

  it("covers pages and never the API", () => {
    expect(["/", "/sessions/abc", "/apis", "/samples/one.jsonl"].every(covers)).toBe(true);
    expect(["/api/uploads", "/api/sessions/x/columns", "/_next/static/chunks/a.js"].some(covers)).toBe(false);
  });
});

describe("Content-Security-Policy", () => {
  it("lets nothing in from elsewhere and no script without the nonce", () => {
    const policy = contentSecurityPolicy("abc", false);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe-inline");
  });
});
