import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { crushPolicy } from "./policy/policy";

/** A database in each project's folder, which a list in Crush's own folder names. Source: README.md, "Where sessions are stored". */
const crushPlaces: AgentPlaces = {
  roots: [
    {
      folder: ".local/share/crush",
      variables: [{ name: "CRUSH_GLOBAL_DATA" }, { name: "XDG_DATA_HOME", below: "crush" }],
    },
  ],
  files: [],
  stores: [{ file: ".crush/crush.db" }],
  storesListedIn: { file: "projects.json", name: "crush.db", read: dataFolders },
};

/** Data folders of the listed projects. Throws if the text is not JSON. */
function dataFolders(text: string): readonly string[] {
  const { projects }: { projects?: unknown } = Object(JSON.parse(text));
  if (!Array.isArray(projects)) return [];
  return projects.flatMap((project: unknown) => {
    const { data_dir }: { data_dir?: unknown } = Object(project);
    return typeof data_dir === "string" && data_dir !== "" ? [data_dir] : [];
  });
}

/** The browser profile of Crush. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the program takes the window from its list of models; 200,000 is that of most",
  }),
  places: crushPlaces,
  policy: crushPolicy,
  summaryCall: { sharesPrefix: () => false, source: limits.AGENT_CODE },
  presetFor,
  resume: LOADS_LIVE,
  constants: {
    largeWindow: constant(limits.LARGE_WINDOW, "tokens", limits.AGENT_CODE),
    largeWindowBuffer: constant(limits.LARGE_WINDOW_BUFFER, "tokens", limits.AGENT_CODE),
    smallWindowRatio: constant(limits.SMALL_WINDOW_RATIO, "share", limits.AGENT_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
