let last = 0;

/**
 * Counts what happens, so that it is known what came first: a list that was asked for after an answer came knows of it. A clock may say
 * the same time twice.
 */
export function nextMoment(): number {
  last += 1;
  return last;
}
