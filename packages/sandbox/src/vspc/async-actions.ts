import { notFound, VendorError } from './errors.ts';

/** What the console tells of an action it does in the background. */
interface AsyncAction {
  id: string;
  initiatorUid: string;
  actionName: string;
  status: 'running' | 'succeed' | 'failed' | 'canceled';
  queryParameters: Record<string, string[]>;
  requestBody: string | null;
}

interface Kept {
  action: AsyncAction;
  /** How often its status is still to be asked before it is done. */
  pollsLeft: number;
  willFail: boolean;
  work: () => string;
}

/** The actions a sandbox has promised. Progress is counted in looks at the status, so that no test has to wait. */
export class AsyncActions {
  readonly #kept = new Map<string, Kept>();

  start(action: Omit<AsyncAction, 'status'>, polls: number, willFail: boolean, work: Kept['work']): void {
    this.#kept.set(action.id, { action: { ...action, status: 'running' }, pollsLeft: polls, willFail, work });
  }

  /** @throws VendorError 404 for an action that was never started */
  status(id: string): AsyncAction {
    const kept = this.#find(id);
    if (kept.pollsLeft > 0) kept.pollsLeft -= 1;
    else if (kept.action.status === 'running') kept.action.status = kept.willFail ? 'failed' : 'succeed';
    return kept.action;
  }

  /**
   * The body the call would have been answered with at once.
   * @throws VendorError 404 while the action runs, 520 when it failed
   */
  result(id: string): string {
    const { action, work } = this.#find(id);
    if (action.status === 'running') throw notFound(`The result of the asynchronous action ${id}`);
    if (action.status === 'failed') {
      throw new VendorError(520, 'unspecified', 'The operation was interrupted by a restart of the service.');
    }
    return work();
  }

  #find(id: string): Kept {
    const kept = this.#kept.get(id.toLowerCase());
    if (!kept) throw notFound(`Asynchronous action ${id}`);
    return kept;
  }
}
