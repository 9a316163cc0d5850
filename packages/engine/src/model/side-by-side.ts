/**
 * What several generators give, as it comes: each keeps its own order, and is one value ahead at most. The first failure is thrown at
 * once, and ends the others where they are.
 */
export async function* sideBySide<Value>(sources: readonly AsyncGenerator<Value>[]): AsyncGenerator<Value> {
  const ready: (() => IteratorResult<Value>)[] = [];
  let wake = () => {};
  const give = (turn: () => IteratorResult<Value>) => {
    ready.push(turn);
    wake();
  };
  const ask = (source: AsyncGenerator<Value>) => {
    source.next().then(
      (result) =>
        give(() => {
          if (result.done !== true) ask(source);
          return result;
        }),
      (error: unknown) =>
        give(() => {
          throw error;
        }),
    );
  };
  try {
    for (const source of sources) ask(source);
    for (let ended = 0; ended < sources.length; ) {
      const turn = ready.shift();
      if (turn === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const { value, done } = turn();
      if (done === true) ended += 1;
      else yield value;
    }
  } finally {
    await Promise.allSettled(sources.map((source) => source.return(undefined)));
  }
}
