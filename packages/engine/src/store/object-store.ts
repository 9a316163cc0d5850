/**
 * Where the bytes of a repository lie: named objects, written once. Names consist of `a-z 0-9 - /` and are relative.
 *
 * Every implementation passes `suites/object-store-suite.ts`. Errors are `EngineError`s: `not-found` where an object is not there,
 * `store-refused`, `store-full`, `store-unreachable` (retryable where trying again may help) otherwise.
 */
export interface ObjectStore {
  /** For people and logs: `folder /backup/contoso`, `s3 bucket/prefix at host`. Holds no secret. */
  readonly description: string;

  /**
   * Writes an object that must not exist. When it resolves, the object is durable: it survives a loss of power. When it rejects, no
   * object of that name looks whole.
   *
   * @returns `false` when an object of that name exists, which is then left as it is
   */
  create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean>;

  /** The whole object. Only for objects of a bounded size (see `ObjectFacts.sizeBytes`). */
  read(name: string): Promise<Buffer>;

  /** Exactly `length` bytes from `start` on. An object that is too short is an error `damaged`, never a short answer. */
  readRange(name: string, start: number, length: number): Promise<Buffer>;

  /** Objects whose names begin with `prefix`, in the order of their names, in pages of the store's own. */
  list(prefix: string): AsyncIterable<ObjectFacts>;

  /** Deletes an object; one that is not there is no error. An object that is locked against deletion is `store-refused`. */
  delete(name: string): Promise<void>;

  close(): Promise<void>;
}

export interface CreateOptions {
  /** Object lock: nobody may delete the object before this instant. Ignored by stores that cannot. */
  retainUntil?: Date;
}

export interface ObjectFacts {
  name: string;
  sizeBytes: number;
  /** By the store's own clock. */
  createdAt: Date;
}
