import { endQuietlyOnClosedPipe } from "./output";
import { runProgram } from "./program";

endQuietlyOnClosedPipe();
void runProgram(process.argv.slice(2));
