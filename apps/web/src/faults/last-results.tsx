import styles from './last-results.module.css';

interface Look {
  tone: string;
  sign: string;
  word: string;
}

/** Letters of `Fault.lastResults`. Each has a sign and a height of its own, so that none depends on its colour. */
const LOOKS: Readonly<Record<string, Look>> = {
  S: { tone: 'success', sign: '', word: 'fine' },
  s: { tone: 'doubtful', sign: '~', word: 'doubtful' },
  W: { tone: 'warning', sign: '!', word: 'with a warning' },
  F: { tone: 'failed', sign: '×', word: 'failed' },
  D: { tone: 'missed', sign: '○', word: "didn't run" },
  R: { tone: 'running', sign: '▸', word: 'running' },
};
const UNKNOWN: Look = { tone: 'success', sign: '?', word: 'unknown' };

/** A job's last results as small marks, oldest first: one glance separates a blip from a dead job. */
export function LastResults({ results }: { results: string }) {
  return (
    <span className={styles.marks} role="img" aria-label={textOf(results)} title={textOf(results)}>
      {[...results].map((letter, place) => {
        const { tone, sign } = LOOKS[letter] ?? UNKNOWN;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks have no more than a place
          <span key={place} className={styles.mark} data-tone={tone} aria-hidden>
            {sign}
          </span>
        );
      })}
    </span>
  );
}

/** `Last 14 runs: 3 failed, 11 fine; the last one failed`. */
function textOf(results: string): string {
  if (results === '') return 'No runs';
  const counts = new Map<string, number>();
  for (const letter of results) {
    const { word } = LOOKS[letter] ?? UNKNOWN;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  const last = LOOKS[results.at(-1) ?? ''] ?? UNKNOWN;
  return results.length === 1
    ? `First run: ${last.word}`
    : `Last ${results.length} runs: ${parts.join(', ')}; the last one ${last.word}`;
}
