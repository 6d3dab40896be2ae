import { useTranslations } from "use-intl";
import type { SourceEntry } from "@/lib/queries/contract/types";

/** The program's own folders. They are not listed while they are empty. */
const OWN = new Set(["samples", "uploads"]);

/** True if a source is an empty folder of the program. */
export function isEmptyOwn({ id, sessions }: SourceEntry): boolean {
  return OWN.has(id) && sessions === 0;
}

/** The searched folders that do not exist. */
export function missingSources(sources: readonly SourceEntry[]): SourceEntry[] {
  // A missing required folder is listed among the problems.
  return sources.filter((source) => !source.found && !OWN.has(source.id) && source.problemsTotal === 0);
}

/** True if a place that should hold sessions could not be read. */
export function hasProblems(sources: readonly SourceEntry[]): boolean {
  // Links that lead outside are skipped on purpose.
  return sources.some(({ problems }) => problems.some(({ code }) => code !== "outside"));
}

/** A source's name; paths are in monospace. */
export function SourceLabel({ source: { id, label } }: { readonly source: SourceEntry }) {
  const t = useTranslations("sessions.sources");
  if (id === "samples" || id === "uploads") return <span className="block truncate">{t(id)}</span>;
  if (!/[\\/]/u.test(label)) return <span className="block truncate">{label}</span>;
  return <code className="block max-w-48 truncate tracking-tight">{label}</code>;
}

export function SourcePaths({ sources }: { readonly sources: readonly SourceEntry[] }) {
  return (
    <ul>
      {sources.map((source) => (
        <li key={source.id} className="py-0.5 text-sm text-t2">
          <code className="break-all">{source.path}</code>
        </li>
      ))}
    </ul>
  );
}
