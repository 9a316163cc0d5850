/** What a person has to do something about; programs and tests distinguish them by the code. */
export type EngineErrorCode =
  | 'wrong-password'
  | 'no-repository'
  | 'repository-exists'
  | 'newer-repository'
  | 'damaged'
  | 'locked'
  | 'run-closed'
  | 'store-refused'
  | 'store-full'
  | 'store-unreachable'
  | 'not-found'
  | 'source-refused'
  | 'source-full'
  | 'consent-missing'
  | 'credentials-refused'
  | 'certificate-expired'
  | 'source-unreachable'
  | 'source-gone'
  | 'wrong-clock'
  | 'bad-request'
  | 'stopped';

/** What a person may do next that has a name of its own in each program: the command line adds its options, a portal its buttons. */
export type Remedy =
  | 'accept-loss'
  | 'choose-restore-point'
  | 'choose-retention'
  | 'choose-target'
  | 'correct-target'
  | 'export-instead'
  | 'list-objects'
  | 'restore-into-folder'
  | 'verify';

/**
 * An error that a person sees: what happened, to what, and what to do next, in words that fit every program. `isRetryable` is set by the code that
 * knows: the store or the source.
 */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly isRetryable: boolean;
  readonly remedy: Remedy | null;

  constructor(
    code: EngineErrorCode,
    message: string,
    options: { cause?: unknown; isRetryable?: boolean; remedy?: Remedy } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
    this.remedy = options.remedy ?? null;
  }
}

const ENDS_AN_OBJECT: ReadonlySet<EngineErrorCode> = new Set<EngineErrorCode>([
  'source-unreachable',
  'consent-missing',
  'source-full',
  'source-gone',
  'credentials-refused',
  'certificate-expired',
  'stopped',
]);

/**
 * Whether an error of a source concerns all of the object that is read: every further item would meet it too. The object stops, and
 * goes on from its cursors in the next run. A source that finds that such an error is that of one item alone reports it as `source-refused`.
 */
export function endsTheObject(error: unknown): boolean {
  return !(error instanceof EngineError) || ENDS_AN_OBJECT.has(error.code);
}
