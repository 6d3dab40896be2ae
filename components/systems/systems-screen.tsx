"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { useLocale } from "use-intl";
import type { AppLocale } from "@/app/i18n/locales";
import type English from "@/app/i18n/systems/en.json";
import { useFormat } from "@/components/format/use-format";
import { useArrival } from "@/components/hooks/use-arrival";
import { useErrorText } from "@/components/hooks/use-error-text";
import { toField, usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { Notice, Skeleton } from "@/components/ui/status";
import { ScrollRegion, Table } from "@/components/ui/table";
import { loadAllAgents, POLICIES, profileOf } from "@/lib/agents/policies";
import { defaultWindowOf } from "@/lib/agents/shared/profile";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import type { SettingSpec } from "@/lib/core/compaction/policy/settings";
import { listSessions } from "@/lib/queries/client/client";

type Texts = typeof English;
type PolicyId = keyof Texts["policies"];

/** The texts of the page in a language. They are in separate files, because every page loads all messages. */
export const SYSTEMS_TEXTS: Readonly<Record<AppLocale, () => Promise<Texts>>> = {
  en: async () => (await import("@/app/i18n/systems/en.json")).default,
  "zh-CN": async () => (await import("@/app/i18n/systems/zh-CN.json")).default,
};

/** Sample session of each agent that has one; the other policies are shown on `OTHER`. */
const SAMPLES: Readonly<Record<string, string>> = {
  "claude-code": "claude-code-duplicate-shipments",
  clawdcode: "clawdcode-oversell",
  codex: "codex-sliding-window",
  "mini-claude-code": "mini-claude-code-port-tests",
  openclaw: "openclaw-nightly-backup",
  "qwen-code": "qwen-code-export-timeout",
};
const OTHER = "claude-code-duplicate-shipments";

/** Window of policies that belong to no agent, in tokens. */
const USUAL_WINDOW = 200_000;

/** Every policy in short, with the values of its presets and an example. */
export function SystemsScreen() {
  const locale = useLocale();
  const page = useRef<HTMLElement>(null);
  useArrival(page, true);
  const errorText = useErrorText();
  const { data: texts, error } = useQuery({
    queryKey: ["systems", locale],
    queryFn: async () => {
      const [loaded] = await Promise.all([SYSTEMS_TEXTS[locale](), loadAllAgents()]);
      return loaded;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const samples = useSamples();
  const isLoaded = texts !== undefined;
  useEffect(() => {
    // The part that the address names comes after the texts.
    if (isLoaded) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
  return (
    <main ref={page} id="content" tabIndex={-1} className="min-h-0 min-w-0 grow overflow-y-auto px-4 pt-4 pb-8">
      {error !== null ? (
        <Notice role="alert" title={errorText(error)} />
      ) : texts === undefined ? (
        <Skeleton className="h-80 w-full" />
      ) : (
        <Systems texts={texts} samples={samples} />
      )}
    </main>
  );
}

interface SystemsProps {
  readonly texts: Texts;
  readonly samples: ReadonlyMap<string, string>;
}

function Systems({ texts, samples }: SystemsProps) {
  const words = usePolicyWords();
  const listed = POLICIES.filter(({ id }) => isDescribed(id, texts));
  return (
    <>
      <h1 className="text-lg font-semibold">{texts.page.title}</h1>
      <p className="mt-1 max-w-180 text-t2">{texts.page.about}</p>
      <nav aria-label={texts.page.contents} className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
        {listed.map((policy) => (
          <a
            key={policy.id}
            href={`#${policy.id}`}
            className="inline-flex min-h-6 items-center underline touch:min-h-10"
          >
            {words.policy(policy)}
          </a>
        ))}
      </nav>
      {listed.map((policy) => (
        <System key={policy.id} policy={policy} texts={texts} samples={samples} />
      ))}
    </>
  );
}

function isDescribed(id: string, { policies }: Texts): id is PolicyId {
  return Object.hasOwn(policies, id);
}

const LINES = ["counts", "when", "keeps", "loses", "source"] as const;

function System({ policy, texts, samples }: SystemsProps & { readonly policy: Policy }) {
  const words = usePolicyWords();
  const [preset, setPreset] = useState(policy.presets[0] ?? "default");
  const description = isDescribed(policy.id, texts) ? texts.policies[policy.id] : undefined;
  const sample = samples.get(SAMPLES[policy.id] ?? OTHER);
  const name = words.policy(policy);
  if (description === undefined) return null;
  return (
    <section
      id={policy.id}
      aria-labelledby={`${policy.id}-title`}
      className="mt-6 border-t border-line pt-4"
      data-system={policy.id}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={`${policy.id}-title`} className="text-base font-semibold">
          {name}
        </h2>
        {policy.presets.length > 1 && (
          <Choice
            label={`${name}: ${preset}`}
            value={preset}
            options={policy.presets.map((one) => [one, words.preset(one, policy)])}
            onChange={setPreset}
          />
        )}
        {sample !== undefined && (
          <Button asChild>
            <Link
              href={`/sessions/${sample}?${new URLSearchParams({ policy: policy.id, preset })}`}
              prefetch={false}
              title={texts.page.exampleNote}
              aria-label={`${texts.page.example}: ${name}`}
            >
              {texts.page.example}
            </Link>
          </Button>
        )}
      </div>
      <div className="mt-2 grid gap-x-8 gap-y-4 xl:grid-cols-2">
        <dl className="grid max-w-180 grid-cols-[minmax(5rem,auto)_1fr] content-start gap-x-4 gap-y-1">
          {LINES.map((line) => (
            <div key={line} className="contents">
              <dt className="text-t2">{texts.page[line]}</dt>
              <dd className="[overflow-wrap:anywhere]">{description[line]}</dd>
            </div>
          ))}
        </dl>
        <Values policy={policy} preset={preset} page={texts.page} />
      </div>
    </section>
  );
}

interface ValuesProps {
  readonly policy: Policy;
  readonly preset: string;
  readonly page: Texts["page"];
}

/** The defaults of a preset's settings, each with its source and the way to set it in the real agent. */
function Values({ policy, preset, page }: ValuesProps) {
  const words = usePolicyWords();
  const format = useFormat();
  const profile = profileOf(policy.id);
  const window = profile === undefined ? USUAL_WINDOW : defaultWindowOf(profile, preset).value;
  const specs = policy.settings(preset, { window, agent: profile?.id ?? null });
  const title = page.values.replace("{preset}", words.preset(preset)).replace("{window}", format.count(window));
  const shown = (spec: SettingSpec): string => {
    if (spec.type === "number") return `${format.count(toField(spec, spec.default))} ${words.unit(spec.unit)}`;
    if (spec.type === "boolean") return spec.default ? "✓" : "–";
    if (spec.type === "choice") return words.choice(spec.default);
    return spec.default === null ? "–" : format.count(spec.default);
  };
  return (
    <ScrollRegion aria-label={`${words.policy(policy)}: ${title}`} className="scroll-hint relative overflow-x-auto">
      <Table
        caption={title}
        captionClass="pb-1 text-left text-xs text-t3"
        rows={specs}
        rowKey={({ key }) => key}
        rowProps={({ key }) => ({ "data-value-of": key })}
        columns={[
          { head: page.setting, namesRow: true, cell: (spec) => words.setting(spec), cellClass: "whitespace-normal" },
          { head: page.default, numeric: true, cell: shown, cellClass: "text-right whitespace-nowrap" },
          {
            head: page.inAgent,
            cell: (spec) => <InAgentText spec={spec} page={page} />,
            cellClass: "min-w-36 text-left",
          },
          {
            head: page.origin,
            cell: ({ source }) => words.source(source),
            cellClass: "min-w-36 text-left text-xs text-t3 [overflow-wrap:anywhere]",
          },
        ]}
      />
    </ScrollRegion>
  );
}

interface InAgentTextProps extends Pick<ValuesProps, "page"> {
  readonly spec: SettingSpec;
}

/** The text that gives the real agent a setting, with its file. */
function InAgentText({ spec: { inAgent }, page }: InAgentTextProps) {
  if (inAgent === undefined || inAgent === null || !("text" in inAgent)) return "–";
  return (
    <span title={inAgent.source.text}>
      <code className="rounded-sm bg-sunk px-1 text-xs [overflow-wrap:anywhere]">{inAgent.text}</code>
      {inAgent.file !== undefined && <span className="text-xs text-t2">{` ${page.in} ${inAgent.file}`}</span>}
    </span>
  );
}

const SAMPLE_CONDITION = "sample=1";

/** Ids of the bundled sample sessions by the names of their files, without endings. */
function useSamples(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ["sessions", "samples"],
    queryFn: ({ signal }) => listSessions({ where: [SAMPLE_CONDITION], limit: 50 }, signal),
  });
  return new Map(data?.sessions.map(({ id, name }) => [name.replace(/\.jsonl(\.br)?$/, ""), id]));
}
