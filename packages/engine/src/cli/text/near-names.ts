/** Names that a mistyped one may have meant: those that begin with it, and those a few letters away; the nearest first. */
export function nearNames(typed: string, names: readonly string[]): string[] {
  const most = Math.max(1, Math.floor(typed.length / 4));
  return names
    .map((name) => ({ name, distance: name.startsWith(typed) && typed !== '' ? 0 : editDistance(typed, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
    .map(({ name }) => name);
}

/** Letters to insert, delete or exchange until one text is the other. */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, against] of [...other].entries())
      current.push(
        Math.min(
          (current[column] ?? 0) + 1,
          (above[column + 1] ?? 0) + 1,
          (above[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    above = current;
  }
  return above.at(-1) ?? 0;
}
