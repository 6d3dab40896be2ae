import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerApi } from "@/lib/queries/table";
import { config } from "@/proxy";
import { servedSamples } from "../testing/serving";
import { contentSecurityPolicy } from "./page-policy";

servedSamples(["codex-sliding-window.jsonl"]);

const API = join(process.cwd(), "app", "api");

describe("API routes", () => {
  const files = readdirSync(API, { recursive: true, encoding: "utf8" }).filter((name) => /route\.[jt]sx?$/.test(name));

  it("are one catch-all route, which answers from the table of queries", () => {
    expect(files).toEqual([join("[[...path]]", "route.ts")]);
    const source = readFileSync(join(API, files[0] ?? ""), "utf8");
    const exported = source.split("\n").filter((line) => line.includes("export"));
    expect(exported.length).toBe(6);
    for (const line of exported) expect(line).toMatch(/^export const [A-Z]+ = answerApi;$/);
  });

  const ask = (method: string, path: readonly string[]) =>
    answerApi(
      new Request(`http://localhost:3000/api/${path.join("/")}`, { method, headers: { host: "localhost:3000" } }),
      {
        params: Promise.resolve({ path }),
      },
    );

  it.each([
    ["GET", ["health"], 200, null],
    ["HEAD", ["health"], 200, null],
    ["DELETE", ["health"], 405, "GET, HEAD, OPTIONS"],
    ["OPTIONS", ["uploads"], 204, "POST, OPTIONS"],
    ["PATCH", ["sessions", "a~codex", "overhead"], 405, "GET, PUT, HEAD, OPTIONS"],
    ["GET", ["nothing"], 404, null],
    ["OPTIONS", ["sessions", "x", "nothing"], 404, null],
    ["GET", [], 404, null],
  ])("%s of /api/%j is answered with status %d", async (method, path, status, allow) => {
    const response = await ask(method, path);
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    if (status > 400) expect(response.headers.get("content-type")).toBe("application/problem+json");
    if (method === "HEAD") expect(await response.text()).toBe("");
  });

  it("prefer a literal path to one with a parameter", async () => {
    const response = await ask("GET", ["sessions", "facets"]);
    expect(Object.keys(await response.json())).toContain("total");
  });
});

describe("proxy", () => {
  const [matcher = ""] = config.matcher;
  const covers = (path: string) => new RegExp(`^${matcher}$`).test(path);

  it("covers pages, but not the API", () => {
    expect(["/", "/sessions/abc", "/apis", "/samples/one.jsonl"].every(covers)).toBe(true);
    expect(["/api/uploads", "/api/sessions/x/columns", "/_next/static/chunks/a.js"].some(covers)).toBe(false);
  });
});

describe("Content-Security-Policy", () => {
  it("allows nothing from other hosts, and no script without the nonce", () => {
    const policy = contentSecurityPolicy("abc", false);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe-inline");
  });
});
