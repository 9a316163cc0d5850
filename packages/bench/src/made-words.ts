/** Words of made texts, spread as they are in any language: few frequent ones, most of them rare. */

const VOCABULARY = 200_000;

/** The word at a number between 0, the most frequent one, and 1. */
export function wordAt(random: number): string {
  return `w${Math.floor(VOCABULARY ** random).toString(36)}`;
}

/** Texts of so many words, the same ones in every run. */
export function textsOf(seed: number): (words: number) => string {
  const random = randoms(seed);
  return (words) => Array.from({ length: words }, () => wordAt(random.next().value)).join(' ');
}

/** Numbers between 0 and 1, the same in every run. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}
