/** Tells a sentence to the person who started the program. */
export function say(sentence: string): void {
  process.stderr.write(`context-replay: ${sentence}\n`);
}
