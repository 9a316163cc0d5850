/**
 * Ids of rows at the beginning of a list that the server no longer has there. What was only pushed down is not gone.
 * @param shown the ids that are shown, in their order
 * @param found the first ids that the server has now, of `count` in all
 */
export function goneRows(shown: readonly string[], found: ReadonlySet<string>, count: number): string[] {
  const isWhole = count === found.size;
  const lastCommon = shown.findLastIndex((id) => found.has(id));
  const compared = isWhole || lastCommon === -1 ? shown : shown.slice(0, lastCommon);
  return compared.filter((id) => !found.has(id));
}
