import { runProgram } from "./program";
import { endQuietlyOnClosedPipe } from "./text/output";

endQuietlyOnClosedPipe();
void runProgram(process.argv.slice(2));
