import { EngineError } from '../model/engine-error.ts';

/** An object that nobody may delete yet: object lock. Whoever can do without the deletion goes on, and deletes it another day. */
export class RetainedError extends EngineError {
  readonly until: Date;

  constructor(what: string, until: Date, cause: unknown) {
    const message = `${what} is locked against deletion until ${until.toISOString()}. Nobody can delete it before that; try again then.`;
    super('store-refused', message, { cause });
    this.until = until;
  }
}
