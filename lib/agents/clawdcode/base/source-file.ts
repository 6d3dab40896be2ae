/** Paths that v1.8.0 ignores. Browser-safe. Source: README.md, "Files". */
const NOT_SOURCE = [
  /^https?:\/\//,
  /^node_modules\//,
  /^\.git\//,
  /\.(png|jpg|jpeg|gif|svg|ico|webp|mp4|mp3|wav|pdf|zip|tar|gz)$/i,
];

/** True if a path can be a source file: not a URL, a dependency, a file of git or a binary. */
export function isSourceFile(path: string): boolean {
  return !NOT_SOURCE.some((pattern) => pattern.test(path));
}
