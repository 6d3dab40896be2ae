import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { isInputKey } from "@/lib/core/compaction/policy/input-settings";
import { isPauseKey, isSharedKey } from "@/lib/core/compaction/policy/pause-settings";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { isInEffect, type SettingSpec, type Settings, type SettingValue } from "@/lib/core/compaction/policy/settings";
import type { ContextWindow } from "@/lib/core/transcript/model";
import { SettingRow, type StatedSetting } from "./setting-row";

interface ChosenSettings {
  readonly policy: Policy;
  readonly specs: readonly SettingSpec[];
  readonly settings: Settings;
  /** Keys of the settings that differ from their documented default. */
  readonly changed: ReadonlySet<string>;
  readonly window: ContextWindow;
}

/** Values in the user's own settings files, by key. */
export type StatedSettings = ReadonlyMap<string, StatedSetting>;

interface SettingRowsProps {
  readonly choice: ChosenSettings;
  readonly stated?: StatedSettings | undefined;
  readonly onChange: (key: string, value: SettingValue) => void;
}

/**
 * The settings that people change most. Then, folded: the policy's other settings, settings without effect (such as pruning's), and the settings of
 * pauses and inputs, which every policy has.
 */
export function SettingRows({ choice, stated, onChange }: SettingRowsProps) {
  const t = useTranslations("replay.panel");
  const { policy, specs, settings, changed } = choice;
  const own = specs.filter((spec) => !isSharedKey(spec.key) && hasEffect(spec, policy));
  const [inEffect, idle] = [
    own.filter((spec) => isInEffect(spec, settings)),
    own.filter((spec) => !isInEffect(spec, settings)),
  ];
  const main = mainSettings(inEffect, stated);
  const rest = inEffect.filter((spec) => !main.includes(spec));
  const changedRest = rest.filter(({ key }) => changed.has(key)).length;
  const shared = [
    {
      id: "pauses",
      specs: specs.filter((spec) => isPauseKey(spec.key) && isInEffect(spec, settings)),
      none: "pausesChanged",
    },
    { id: "inputs", specs: specs.filter(({ key }) => isInputKey(key)), none: "inputsChanged" },
  ] as const;
  return (
    <>
      <Rows specs={main} choice={choice} stated={stated} onChange={onChange} />
      {rest.length > 0 && (
        <Folded
          id="rest"
          title={t("rest")}
          note={changedRest > 0 ? t("inputsChanged", { changed: changedRest }) : t("idleCount", { count: rest.length })}
          changed={changedRest > 0}
        >
          <Rows specs={rest} choice={choice} stated={stated} onChange={onChange} />
        </Folded>
      )}
      {idle.length > 0 && (
        <Folded id="idle" title={t("idle")} note={t("idleCount", { count: idle.length })}>
          <Rows specs={idle} choice={choice} stated={stated} onChange={onChange} />
        </Folded>
      )}
      {shared.map(({ id, specs: inside, none }) => {
        const count = inside.filter(({ key }) => changed.has(key)).length;
        return (
          inside.length > 0 && (
            <Folded key={id} id={id} title={t(id)} note={t(none, { changed: count })} changed={count > 0}>
              <Rows specs={inside} choice={choice} stated={stated} onChange={onChange} />
            </Folded>
          )
        );
      })}
    </>
  );
}

interface FoldedProps {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** True if a setting inside differs from its default; the section then starts open. */
  readonly changed?: boolean;
  readonly children: ReactNode;
}

function Folded({ id, title, note, changed = false, children }: FoldedProps) {
  return (
    <details open={changed} data-testid={id} className="group mt-1 border-t border-line pt-1">
      <summary className="flex min-h-7 cursor-pointer list-none items-center justify-between gap-2 touch:min-h-10">
        <span className="font-medium">
          <span aria-hidden className="mr-1 inline-block text-t3 group-open:rotate-90">
            ›
          </span>
          {title}
        </span>
        <span className={changed ? "text-sm text-accent" : "text-sm text-t3"}>{note}</span>
      </summary>
      {children}
    </details>
  );
}

/** Number of a policy's own settings that are visible at first: a policy declares its trigger and its kept parts first. */
const MAIN_COUNT = 4;

/** Settings of every policy, of rare use. */
const RARE: ReadonlySet<string> = new Set(["failSummary", "entryTruncation"]);

/** The unfolded settings of a policy: the first ones that it declares, the ones in the user's files, and the size of a summary. */
function mainSettings(own: readonly SettingSpec[], stated: StatedSettings | undefined): readonly SettingSpec[] {
  return own
    .filter(({ key }) => !RARE.has(key))
    .filter(({ key }, index) => index < MAIN_COUNT || key === "summaryTokens" || stated?.has(key) === true);
}

/** True if a setting has an effect: every policy takes those for summaries and truncation on entry, but may have neither. */
export function hasEffect({ key }: SettingSpec, policy: Policy): boolean {
  if (key === "entryTruncation") return policy.entryRule !== undefined;
  return policy.summarises !== false || (key !== "summaryTokens" && key !== "failSummary");
}

function Rows({ specs, choice, stated, onChange }: SettingRowsProps & { readonly specs: readonly SettingSpec[] }) {
  return specs.map((spec) => (
    <SettingRow
      key={spec.key}
      spec={spec}
      value={choice.settings[spec.key] ?? null}
      changed={choice.changed.has(spec.key)}
      stated={stated?.get(spec.key)}
      window={choice.window.tokens}
      onChange={onChange}
    />
  ));
}
