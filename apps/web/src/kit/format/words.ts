/** `mail folder` becomes `Mail folder`, as it is written at the beginning of a line. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
