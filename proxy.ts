import { type NextRequest, NextResponse } from "next/server";
import { configFrom, type ServerConfig } from "@/lib/server/base/config";
import { guardHost, guardToken, sameSecret, tokenCookie } from "@/lib/server/http/guard";
import { isHttpError } from "@/lib/server/http/http-error";
import { contentSecurityPolicy, PAGE_HEADERS } from "@/lib/server/http/page-policy";
import { hasPolicies } from "@/lib/server/policies/policy-folder";

/**
 * Runs before every page. It must never cover `/api`: whatever passes through here is cut off at 10 MB without an error,
 * uploads too. The API checks its callers itself (lib/server/http/handler.ts).
 */
export const config = {
  matcher: ["/((?!api/|_next/static/|_next/image).*)"],
};

export function proxy(request: NextRequest): NextResponse {
  const server = configFrom(process.env);
  try {
    guardHost(request.headers, server);
    const entered = enterWithToken(request, server);
    if (entered !== undefined) return entered;
    guardToken(request.headers, server);
  } catch (error) {
    if (!isHttpError(error)) throw error;
    return new NextResponse(`${error.message}\n`, {
      status: error.status,
      headers: { ...PAGE_HEADERS, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
    });
  }
  return renamedTab(request) ?? withPolicy(request);
}

/** Links of earlier versions call the tab `lens`; they are sent on to its present name. */
function renamedTab(request: NextRequest): NextResponse | undefined {
  const target = new URL(request.nextUrl);
  const tab = target.searchParams.get("lens");
  if (tab === null) return undefined;
  target.host = request.headers.get("host") ?? target.host;
  target.searchParams.delete("lens");
  target.searchParams.set("tab", tab);
  return NextResponse.redirect(target, { status: 308, headers: PAGE_HEADERS });
}

/** Exchanges `?token=` for a cookie, so that the token does not stay in the address. */
function enterWithToken(request: NextRequest, server: ServerConfig): NextResponse | undefined {
  const { token } = server;
  const shown = request.nextUrl.searchParams.get("token");
  if (token === undefined || shown === null || !sameSecret(shown, token)) return undefined;
  const target = new URL(request.nextUrl);
  target.host = request.headers.get("host") ?? target.host;
  target.searchParams.delete("token");
  const response = NextResponse.redirect(target, {
    status: 303,
    headers: { ...PAGE_HEADERS, "Cache-Control": "no-store" },
  });
  response.cookies.set(tokenCookie(server), token, { httpOnly: true, sameSite: "strict", path: "/" });
  return response;
}

/** Gives the page a nonce: Next finds it in the request's policy and puts it on the scripts that it writes. */
function withPolicy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.randomUUID()).toString("base64");
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development", hasPolicies(process.env));
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
  return response;
}
