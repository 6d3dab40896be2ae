/** Paths that v1.8.0 ignores. Browser-safe. Source: README.md, "Files". */
const NOT_SOURCE = [
  /^https?:\/\//,
  /^node_modules\//,
  /^\.git\//,
  /\.(png|jpg|jpeg|gif|svg|ico|webp|mp4|mp3|wav|pdf|zip|tar|gz)$/i,
];

/** True if a path can be a source file: no URL, no dependency, no file of git, no binary. */
export function isSourceFile(path: string): boolean {
  return !NOT_SOURCE.some((pattern) => pattern.test(path));
}
