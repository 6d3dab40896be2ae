import { Copy, PanelRight, Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { SettingRows } from "@/components/settings/setting-rows";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { agentPolicies, POLICIES } from "@/lib/agents/policies";
import { canBeScheduled, SCHEDULES } from "@/lib/core/compaction/policies/scheduled";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { lastingName } from "@/lib/core/compaction/preset-names";
import { chosenOf } from "@/lib/queries/session/session-context";
import { RunLetter, RunLine } from "../shared/runs/run-mark";
import { type AddedRun, MAX_ADDED, placesOfKnown, runOf, runText, useAddedRuns } from "../shared/runs/run-param";
import { FIXED_RUNS, runStyle } from "../shared/runs/run-style";
import { WindowRow } from "../shared/runs/window-field";
import { presetToName, type ReplayChoice } from "../shared/state/replay-choice";
import { useReplay, useReplayActions, useSession } from "../shared/state/stores";
import { type ComparedRun, useRunWords, withoutRule } from "./compared-runs";
import { useComparison } from "./comparison";

/** The compared runs as chips. The chip of an added run opens an editor. */
export function RunChips() {
  const t = useTranslations("compare.runs");
  const { runs } = useComparison();
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2">
      <ul aria-label={t("title")} className="contents">
        {runs.map((run, index) => (
          <li key={runStyle(index).letter} className="max-w-full" data-run={runStyle(index).letter}>
            {index < FIXED_RUNS ? <FixedChip run={run} index={index} /> : <AddedChip run={run} index={index} />}
          </li>
        ))}
      </ul>
      <AddPolicy />
      <span className="ml-auto text-sm text-t3">
        {t("count", { count: runs.length, most: FIXED_RUNS + MAX_ADDED })}
      </span>
    </div>
  );
}

interface ChipProps {
  readonly run: ComparedRun;
  readonly index: number;
}

const CHIP = "flex h-8 max-w-full items-center gap-2 rounded-md border border-line2 px-2 touch:h-10";

function FixedChip({ run, index }: ChipProps) {
  const t = useTranslations("compare.runs");
  return (
    <span className={CHIP} title={index === 0 ? t("recordedNote") : t("panel")}>
      <ChipFace run={run} index={index} />
    </span>
  );
}

function AddedChip({ run, index }: ChipProps) {
  const t = useTranslations("compare.runs");
  const words = useRunWords();
  const added = useAddedRuns();
  const place = placesOfKnown(added.runs)[index - FIXED_RUNS] ?? -1;
  const asked = added.runs[place];
  const { letter } = runStyle(index);
  const policy = words.name(run);
  if (asked === undefined || run.choice === undefined) return null;
  return (
    <span className={`${CHIP} pr-0`}>
      <Popover>
        <PopoverTrigger
          aria-label={t("edit", { letter, policy })}
          className="flex h-full min-w-0 items-center gap-2 rounded-sm hover:text-t1"
        >
          <ChipFace run={run} index={index} />
        </PopoverTrigger>
        <PopoverContent align="start" aria-label={t("editTitle", { letter })} className="w-90">
          <RunEditor run={asked} choice={run.choice} onChange={(next) => added.change(place, next)} />
          <RunActions run={asked} choice={run.choice} />
        </PopoverContent>
      </Popover>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("remove", { letter, policy })}
        onClick={() => added.remove(place)}
      >
        <X aria-hidden />
      </Button>
    </span>
  );
}

function ChipFace({ run, index }: ChipProps): ReactNode {
  const t = useTranslations("compare.runs");
  const words = useRunWords();
  const format = useFormat();
  const { trigger } = run;
  return (
    <>
      <RunLine index={index} />
      <RunLetter index={index} />
      <span className="truncate font-medium">{words.name(run)}</span>
      {run.isHindsight ? (
        <span className="text-t2 max-sm:hidden">{t("hindsight")}</span>
      ) : (
        <span className="text-t2 max-sm:hidden" title={trigger === undefined ? t("noTrigger") : undefined}>
          {trigger === undefined ? "–" : format.count(trigger)}
        </span>
      )}
    </>
  );
}

function AddPolicy() {
  const t = useTranslations("compare.runs");
  const words = usePolicyWords();
  const { runs, add, canAdd } = useAddedRuns();
  const { firstSettings } = useComparison();
  const { choice } = useReplay("choice");
  const best: AddedRun = { ...runOf(choice), schedule: "best" };
  const isThere = runs.some((run) => runText(run) === runText(best));
  const hasBest = choice.policy.id !== "recorded" && canBeScheduled(choice.policy, chosenOf(choice));
  const usual = [...otherAgents(choice.policy).map(({ id }) => firstSettings(id)), ...(hasBest ? [best] : [])];
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild disabled={!canAdd}>
          <Button size="md" className="border-dashed" title={canAdd ? undefined : t("full")}>
            <Plus aria-hidden />
            {t("add")}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {addable().map((policy) => (
            <DropdownMenuItem key={policy.id} onSelect={() => add(firstSettings(policy.id))}>
              {words.policy(policy)}
            </DropdownMenuItem>
          ))}
          <DropdownMenuSeparator />
          <DropdownMenuItem
            disabled={!hasBest || isThere}
            title={t(isThere ? "bestThere" : hasBest ? "bestNote" : "noBest")}
            onSelect={() => add(best)}
          >
            {t("addBest", { policy: words.policy(choice.policy) })}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {runs.length === 0 && (
        <Button
          variant="ghost"
          onClick={() => {
            for (const run of usual) add(run);
          }}
        >
          {t("addUsual", { count: usual.length })}
        </Button>
      )}
    </>
  );
}

/** Policies of three other agents, for a first comparison. */
function otherAgents({ id: own }: Policy): readonly Policy[] {
  return agentPolicies()
    .filter(({ id }) => id !== own)
    .slice(0, 3);
}

interface RunActionsProps {
  readonly run: AddedRun;
  readonly choice: ReplayChoice;
}

/** Copies a run, to change it next to the original; or makes it the replay panel's policy, for every other tab. */
function RunActions({ run, choice }: RunActionsProps) {
  const t = useTranslations("compare.runs");
  const { add, canAdd } = useAddedRuns();
  const toPanel = useToPanel();
  return (
    <div className="flex flex-wrap gap-2 border-t border-line pt-3">
      <Button disabled={!canAdd} title={canAdd ? undefined : t("full")} onClick={() => add(run)}>
        <Copy aria-hidden />
        {t("duplicate")}
      </Button>
      <Button onClick={() => toPanel(choice)}>
        <PanelRight aria-hidden />
        {t("toPanel")}
      </Button>
    </div>
  );
}

/** Sets the replay panel to a choice: policy, preset, window, and changed settings. Clears the settings of the previous policy. */
function useToPanel(): (choice: ReplayChoice) => void {
  const { setPolicy, setPreset, setWindow, setSetting } = useReplayActions();
  return (choice) => {
    const { policy, preset, window, settings } = runOf(choice);
    setPolicy(policy);
    if (preset !== null) setPreset(preset);
    if (window !== null) setWindow(window);
    for (const [key, value] of Object.entries(settings)) setSetting(key, value);
  };
}

/** Policies that can be added; the recording is always in the comparison. */
function addable(): readonly Policy[] {
  return POLICIES.filter(({ id }) => id !== "recorded");
}

interface RunEditorProps {
  readonly run: AddedRun;
  readonly choice: ReplayChoice;
  readonly onChange: (run: AddedRun) => void;
}

/** Policy, preset, schedule, window and settings of an added run, built from the parts of the replay panel. */
function RunEditor({ run, choice, onChange }: RunEditorProps) {
  const t = useTranslations("replay.panel");
  const compare = useTranslations("compare.runs");
  const words = usePolicyWords();
  const { summary } = useSession("summary");
  return (
    <>
      <div className="grid grid-cols-2 gap-2 pb-1">
        <Choice
          label={t("policy")}
          value={choice.policy.id}
          options={addable().map((policy) => [policy.id, words.policy(policy)])}
          onChange={(policy) => onChange({ ...run, policy, preset: presetToName(policy, summary), settings: {} })}
        />
        <Choice
          label={t("preset")}
          value={choice.preset}
          options={choice.policy.presets.map((preset) => [preset, words.preset(preset, choice.policy)])}
          onChange={(preset) => onChange({ ...run, preset: lastingName(choice.policy, preset), settings: {} })}
        />
      </div>
      <Choice
        label={compare("schedule")}
        value={run.schedule}
        options={SCHEDULES.map((schedule) => [schedule, compare(`scheduled.${schedule}`)])}
        onChange={(schedule) => onChange({ ...run, schedule })}
        className="mb-1 w-full"
      />
      <WindowRow choice={choice} onWindow={(window) => onChange({ ...run, window })} />
      <SettingRows
        choice={run.schedule === "best" ? withoutRule(choice) : choice}
        onChange={(key, value) => onChange({ ...run, settings: { ...run.settings, [key]: value } })}
      />
    </>
  );
}
