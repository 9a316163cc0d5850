/** Events of which many come at once. */
export interface EventBursts {
  add(event: string): void;
  stop(): void;
}

/** Delivers the first of a burst of equal events at once; all that follow within `gatherMs` are one, delivered at its end. */
export function gatherEvents(deliver: (event: string) => void, gatherMs: number): EventBursts {
  const gathering = new Map<string, { timer: NodeJS.Timeout; isDue: boolean }>();
  const begin = (event: string) => {
    const timer = setTimeout(() => {
      const isDue = gathering.get(event)?.isDue === true;
      gathering.delete(event);
      if (isDue) begin(event);
    }, gatherMs);
    gathering.set(event, { timer, isDue: false });
    deliver(event);
  };
  return {
    add(event) {
      const gathered = gathering.get(event);
      if (gathered === undefined) begin(event);
      else gathered.isDue = true;
    },
    stop() {
      for (const { timer } of gathering.values()) clearTimeout(timer);
    },
  };
}
