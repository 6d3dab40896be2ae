/** A size for a sentence: in GiB, MiB or bytes, rounded to a tenth. */
export function bytesInWords(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${round(bytes / 1024 ** 3)} GiB`;
  return bytes >= 1024 ** 2 ? `${round(bytes / 1024 ** 2)} MiB` : `${bytes} bytes`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
