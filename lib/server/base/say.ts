/** Prints a sentence on the server's console. */
export function say(sentence: string): void {
  process.stderr.write(`context-replay: ${sentence}\n`);
}
