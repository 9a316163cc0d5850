/** No object of a repository is larger (format, 1). */
export const OBJECT_BYTES_MAX = 64 * 2 ** 20;

/**
 * Where the bytes of a repository are stored: named objects, written once. Names consist of `a-z 0-9 - /` and are relative. No name may be
 * the beginning of another up to a slash: in a folder, one name cannot be both a file and a folder.
 *
 * Every implementation passes `suites/object-store-suite.ts`. Errors are `EngineError`s: `bad-request` for a name, prefix or range that is
 * none, `not-found` where an object is not there, `damaged` where it is too short; otherwise `store-refused`, `store-full` and
 * `store-unreachable`. `isRetryable` says that the same call may succeed later without anything being changed.
 *
 * A store that has gone as a whole (an unmounted disk, a deleted bucket) is never an empty one: every call fails.
 */
export interface ObjectStore {
  /** For people and logs: `folder /backup/contoso`, `s3 bucket/prefix at host`. Contains no secret. */
  readonly description: string;

  /**
   * Writes an object that must not exist. When it resolves, the object is durable, also if another caller wrote it: it survives a loss of power.
   * When it rejects, there is no such object or it is whole, never a part of one: an answer can get lost on its way after the work was done. A
   * caller that has to know calls again; `false` and equal bytes then mean that it was stored.
   *
   * @returns `false` when an object of that name exists, which is then left as it is. Of several callers at once exactly one gets `true`
   */
  create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean>;

  /** The whole object, of at most `OBJECT_BYTES_MAX`: one that is larger was not written by us, is `damaged`, and is not read into memory. */
  read(name: string): Promise<Buffer>;

  /** Exactly `length` bytes from `start` on. An object that is too short is an error `damaged`, never a short answer. */
  readRange(name: string, start: number, length: number): Promise<Buffer>;

  /**
   * Objects whose names begin with `prefix`, in the order of their names, in pages of the store's own. What is created or deleted
   * meanwhile may be among them or not; all others are. An empty prefix means all objects.
   * @param onForeign called with what is there under a name that no object can have, such as `.DS_Store`; a folder of them ends in a slash
   */
  list(prefix: string, onForeign?: OnForeign): AsyncIterable<ObjectFacts>;

  /**
   * Deletes an object so that its space is free, older versions included; one that is not there is no error. An object that is locked
   * against deletion is `store-refused`, and a `RetainedError` where the store says until when. It may come back after a loss of power.
   */
  delete(name: string): Promise<void>;

  /** For how many days objects are locked against deletion when they are written; without it they are not. */
  readonly lockDays?: number;
  /** Until when the object cannot be deleted; `null` for one that is not locked. Only of stores that can lock. */
  lockedUntil?(name: string): Promise<Date | null>;
  /** Locks the object for longer. */
  extendLock?(name: string, until: Date): Promise<void>;

  /** The present by the store's own clock, where its answers include it. */
  now?(): Date;

  close(): Promise<void>;
}

export type OnForeign = (name: string) => void;

export interface CreateOptions {
  /** Object lock: the object cannot be deleted before this instant. Ignored by stores that cannot. */
  retainUntil?: Date;
}

export interface ObjectFacts {
  name: string;
  sizeBytes: number;
  /** By the store's own clock. */
  createdAt: Date;
}
