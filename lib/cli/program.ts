import { type Command, CommanderError } from "commander";
import { SETTINGS_VARIABLE } from "@/lib/server/base/agent-roots";
import { VERSION } from "@/lib/server/base/version";
import { COMMANDS } from "./declarations";
import { endPolicyThreads } from "./input/own-policy-files";
import { Program } from "./options";
import { EXIT, type ExitCode, exitCodeOf } from "./process/exit";

type HelpTexts = typeof import("./help");

/**
 * The command line. Each command's code is loaded only when the command runs, so that short commands start fast.
 * @param help texts below the options, if the user asked for help
 */
function program(help: HelpTexts | undefined): Program {
  const command = new Program("context-replay")
    .description("Shows how a coding agent's context window filled, and replays the recording under other policies.")
    .version(VERSION, "-V, --version", "the program's version")
    .exitOverride()
    .hook("preAction", (_, action) => {
      // Threads and servers of this process take it from the environment.
      if (action.opts().agentSettings === false) process.env[SETTINGS_VARIABLE] = "off";
    })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "context-replay: ")) });

  for (const { add, examples } of COMMANDS) {
    const added = add(command);
    if (help !== undefined) addHelp(added, examples, help);
  }
  return help === undefined ? command : command.addHelpText("after", help.programHelp());
}

/** Adds examples, and the valid ids of policies and estimators, below the options of a command. */
function addHelp(command: Command, examples: readonly string[], help: HelpTexts): void {
  const takes = (name: string) => command.options.some((option) => option.attributeName() === name);
  command.addHelpText("after", help.examplesHelp(examples));
  if (takes("policy")) command.addHelpText("after", help.policyHelp());
  if (takes("estimator")) command.addHelpText("after", help.estimatorHelp());
}

/** Users ask for help by an option, by a command, or by naming no command. */
function asksForHelp([first, ...rest]: readonly string[]): boolean {
  return first === undefined || first === "help" || [first, ...rest].some((one) => one === "--help" || one === "-h");
}

/** Exit code of a parse error: 2 for wrong arguments; help and version are not errors. */
function exitCodeOfParse(error: unknown): ExitCode {
  if (!(error instanceof CommanderError)) return exitCodeOf(error);
  return error.exitCode === 0 ? EXIT.done : EXIT.badArguments;
}

/** Runs a command by its arguments. The exit code becomes that of this process. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const help = asksForHelp(args) ? await import("./help") : undefined;
  try {
    await program(help).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = exitCodeOfParse(error);
  } finally {
    await endPolicyThreads();
  }
}
