/**
 * The same values in the same order, of which up to `count` are asked for before they are needed: the caller works on some while
 * the next ones are looked up. Meant for generators, which answer one question after the other. A failure is thrown in its turn.
 */
export async function* prefetched<T>(values: AsyncGenerator<T>, count: number): AsyncGenerator<T> {
  const coming: Promise<IteratorResult<T>>[] = [];
  try {
    while (true) {
      while (coming.length < count) {
        const next = values.next();
        // It is awaited in its turn; until then a failure must not count as unhandled.
        next.catch(() => undefined);
        coming.push(next);
      }
      const { value, done } = (await coming.shift()) ?? { value: undefined, done: true };
      if (done) return;
      yield value;
    }
  } finally {
    await values.return(undefined);
  }
}
