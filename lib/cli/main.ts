import { runProgram } from "./program";
import { allowClosedPipes } from "./text/output";

allowClosedPipes();
void runProgram(process.argv.slice(2));
