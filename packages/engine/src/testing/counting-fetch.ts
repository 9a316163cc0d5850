/** Counts what goes over the wire, where the sandbox counts the parts of a batch. */
export class CountingFetch {
  sent = 0;

  readonly fetch: typeof fetch = (...call) => {
    this.sent += 1;
    return fetch(...call);
  };
}
