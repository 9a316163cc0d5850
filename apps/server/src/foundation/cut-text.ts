/** A text of at most so many characters; one that was longer ends in "…". Never half a character. */
export function cutText(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1).toWellFormed()}…` : text;
}
