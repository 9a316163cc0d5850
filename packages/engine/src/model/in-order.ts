/**
 * Works on up to `atOnce` values at a time and gives the results in the order of the values. The first failure is thrown when its turn
 * comes, and what is in flight by then is left to end; should the values themselves fail, all before that are given first.
 */
export async function* inOrder<In, Out>(
  values: AsyncIterable<In>,
  atOnce: number,
  work: (value: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const inFlight: Promise<Out>[] = [];
  try {
    for await (const value of withFailure(values)) {
      const one = 'failure' in value ? Promise.reject(value.failure) : work(value.value);
      // It is awaited in its turn; until then a failure must not count as unhandled.
      one.catch(() => undefined);
      inFlight.push(one);
      if (inFlight.length < atOnce) continue;
      const first = inFlight.shift();
      if (first !== undefined) yield await first;
    }
    for (let first = inFlight.shift(); first !== undefined; first = inFlight.shift()) yield await first;
  } finally {
    await Promise.allSettled(inFlight);
  }
}

async function* withFailure<In>(values: AsyncIterable<In>): AsyncGenerator<{ value: In } | { failure: unknown }> {
  try {
    for await (const value of values) yield { value };
  } catch (failure) {
    yield { failure };
  }
}

/** Works on values, `atOnce` at a time, in no order. The first failure is thrown when all that was begun has ended. */
export async function forEachAtOnce<In>(
  values: AsyncIterable<In> | Iterable<In>,
  atOnce: number,
  work: (value: In) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  try {
    for await (const value of values) {
      if (failure !== null) break;
      const one: Promise<void> = work(value)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => inFlight.delete(one));
      inFlight.add(one);
      if (inFlight.size >= atOnce) await Promise.race(inFlight);
    }
  } finally {
    await Promise.all(inFlight);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}
