/** Headers of every page besides its Content-Security-Policy. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/**
 * The Content-Security-Policy of a page: everything comes from this server, scripts and style elements only with the
 * nonce. Style attributes are allowed, since charts and virtual lists place their parts with them; they cannot load or
 * run anything.
 * @param compiles true if the page may compile WebAssembly: only if there are user policies, which run in an
 * interpreter
 * @param development the development server evaluates code and talks to the page over a web socket
 */
export function contentSecurityPolicy(nonce: string, development: boolean, compiles = false): string {
  const directives: Readonly<Record<string, string>> = {
    "default-src": "'none'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${compiles ? " 'wasm-unsafe-eval'" : ""}${development ? " 'unsafe-eval'" : ""}`,
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": development ? "'self' ws:" : "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}
