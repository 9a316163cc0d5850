/** A line of two texts beside each other; `null` where one of them has none. */
export interface PairedLine {
  older: string | null;
  newer: string | null;
  isSame: boolean;
}

/** A comparison of more lines than these, by the product of both, would keep a browser busy: it is shown as changed as a whole. */
const CELLS_MAX = 4_000_000;

/** Two texts line by line: what is the same beside each other, and between it what was removed and added. */
export function differenceOf(older: readonly string[], newer: readonly string[]): PairedLine[] {
  let start = 0;
  while (start < older.length && start < newer.length && older[start] === newer[start]) start += 1;
  let end = 0;
  while (end < older.length - start && end < newer.length - start && older.at(-1 - end) === newer.at(-1 - end))
    end += 1;
  return [
    ...older.slice(0, start).map(same),
    ...between(older.slice(start, older.length - end), newer.slice(start, newer.length - end)),
    ...older.slice(older.length - end).map(same),
  ];
}

const same = (line: string): PairedLine => ({ older: line, newer: line, isSame: true });

/** By the longest common subsequence of lines. */
function between(older: readonly string[], newer: readonly string[]): PairedLine[] {
  if (older.length * newer.length > CELLS_MAX) return changed(older, newer);
  const width = newer.length + 1;
  const lengths = commonLengths(older, newer);
  const lines: PairedLine[] = [];
  let [at, to, from, begin] = [0, 0, 0, 0];
  const flush = () => lines.push(...changed(older.slice(from, at), newer.slice(begin, to)));
  while (at < older.length && to < newer.length) {
    const line = older[at];
    if (line !== undefined && line === newer[to]) {
      flush();
      lines.push(same(line));
      [at, to] = [at + 1, to + 1];
      [from, begin] = [at, to];
    } else if ((lengths[(at + 1) * width + to] ?? 0) >= (lengths[at * width + to + 1] ?? 0)) at += 1;
    else to += 1;
  }
  [at, to] = [older.length, newer.length];
  flush();
  return lines;
}

/** For each pair of places the length of the longest common subsequence behind them. */
function commonLengths(older: readonly string[], newer: readonly string[]): Uint16Array {
  const width = newer.length + 1;
  const lengths = new Uint16Array((older.length + 1) * width);
  for (let at = older.length - 1; at >= 0; at -= 1)
    for (let to = newer.length - 1; to >= 0; to -= 1) {
      const [right, below] = [lengths[at * width + to + 1] ?? 0, lengths[(at + 1) * width + to] ?? 0];
      const isSame = older[at] === newer[to];
      lengths[at * width + to] = isSame ? (lengths[(at + 1) * width + to + 1] ?? 0) + 1 : Math.max(right, below);
    }
  return lengths;
}

/** What was removed beside what was added in its place. */
function changed(older: readonly string[], newer: readonly string[]): PairedLine[] {
  return Array.from({ length: Math.max(older.length, newer.length) }, (_, at) => ({
    older: older[at] ?? null,
    newer: newer[at] ?? null,
    isSame: false,
  }));
}
