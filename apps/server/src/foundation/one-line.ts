/** A text without line breaks. In a mail, a second line of a name would read as a line of the portal's own, or as another header. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim();
}
