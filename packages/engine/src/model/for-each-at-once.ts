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
