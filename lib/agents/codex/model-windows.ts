import type { WindowEntry } from "@/lib/core/prices/windows";

/** Windows of Codex's own list of models, which are smaller than those of the API. Source: README.md, "Limit and window". */
export const CODEX_WINDOWS: readonly WindowEntry[] = [
  {
    ids: [
      ...["gpt-5", "gpt-5-codex", "gpt-5-codex-mini", "gpt-5-mini", "gpt-5-nano"],
      ...["gpt-5.1", "gpt-5.1-codex", "gpt-5.1-codex-max", "gpt-5.1-codex-mini"],
      ...["gpt-5.2", "gpt-5.2-codex", "gpt-5.3-codex", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5"],
      ...["gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-6-astra", "gpt-6-sol", "gpt-6-luna"],
    ],
    tokens: 272_000,
    source: "openai/codex, codex-rs/models-manager/models.json, openai/codex#33961; @earendil-works/pi-ai 1.5.2",
    seen: "2026-11-28",
  },
  {
    ids: ["gpt-5.3-codex-spark"],
    tokens: 128_000,
    source: "recordings of Codex 0.142.2: an effective window of 121,600, which is 95 % of it",
    seen: "2026-11-28",
  },
  {
    ids: ["gpt-6.1-sol", "gpt-6.1-terra"],
    tokens: 500_000,
    source: "@earendil-works/pi-ai 1.5.2, provider openai-codex",
    seen: "2026-11-28",
  },
];
