import { EngineError } from '../model/engine-error.ts';

/** An object that cannot be deleted yet: object lock. Callers that do not need the deletion continue, and delete it another day. */
export class RetainedError extends EngineError {
  readonly until: Date;

  constructor(what: string, until: Date, cause: unknown) {
    const message = `${what} is locked against deletion until ${until.toISOString()} and cannot be deleted before that; try again then.`;
    super('store-refused', message, { cause });
    this.until = until;
  }
}
