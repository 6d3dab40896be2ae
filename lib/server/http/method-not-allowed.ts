import type { IncomingMessage, ServerResponse } from "node:http";
import { problemBody } from "./http-error";

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "application/problem+json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Gives Next's own answer to a method that a route does not have the form of every other error, since Next sends it without a body and calls no
 * handler. Call it for every response of the API that is passed to Next.
 */
export function explainMethodNotAllowed({ method, url }: IncomingMessage, response: ServerResponse): void {
  if (url === undefined || !url.startsWith("/api/")) return;
  const isRefused = () => response.statusCode === 405;
  const writeHead: ServerResponse["writeHead"] = response.writeHead.bind(response);
  const end: ServerResponse["end"] = response.end.bind(response);
  const refuse = async () => {
    for (const [name, value] of Object.entries(await refusalHeaders(url))) response.setHeader(name, value);
    writeHead(405);
    end(refusal(method));
  };
  // Next's compression sends the head before the end. The overloads of both functions share one list of parameters.
  response.writeHead = ((...given: Parameters<typeof writeHead>) =>
    isRefused() ? response : writeHead(...given)) as ServerResponse["writeHead"];
  response.end = ((...given: Parameters<typeof end>) => {
    if (!isRefused()) return end(...given);
    void refuse();
    return response;
  }) as ServerResponse["end"];
}

/**
 * Refuses TRACE, which Next would answer as an internal error. Call it for every request before it is passed to Next. Returns whether it refused.
 */
export function refuseTrace({ method, url = "" }: IncomingMessage, response: ServerResponse): boolean {
  if (method !== "TRACE") return false;
  void refusalHeaders(url).then((headers) => response.writeHead(405, headers).end(refusal(method)));
  return true;
}

async function refusalHeaders(url: string): Promise<Readonly<Record<string, string>>> {
  const methods = url.startsWith("/api/") ? await methodsOf(url) : ["GET", "HEAD"];
  return { ...HEADERS, Allow: methods.join(", ") };
}

function refusal(method = "this method"): string {
  return JSON.stringify(problemBody(405, `This route does not answer ${method}.`));
}

/** The methods that a route answers, as the API's document lists them. It is loaded when somebody asks wrongly, since it brings half of the server along. */
async function methodsOf(url: string): Promise<readonly string[]> {
  const { openApi } = await import("./openapi");
  const [path = ""] = url.split("?", 1);
  const found = Object.entries(openApi().paths).find(([template]) => isOf(template, path));
  const methods = Object.keys(found?.[1] ?? {}).map((method) => method.toUpperCase());
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** Whether a path belongs to a route: any segment matches `{id}`. */
function isOf(template: string, path: string): boolean {
  const asked = path.replace(/\/$/, "").split("/");
  const segments = template.split("/");
  return (
    asked.length === segments.length &&
    segments.every((segment, at) => (segment.startsWith("{") ? asked[at] !== "" : asked[at] === segment))
  );
}
