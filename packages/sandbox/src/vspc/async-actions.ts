import { notFound, VendorError } from './errors.ts';

/** An action that the console runs in the background, as it reports it. */
interface AsyncAction {
  id: string;
  initiatorUid: string;
  actionName: string;
  status: 'running' | 'succeed' | 'failed' | 'canceled';
  queryParameters: Record<string, string[]>;
  requestBody: string | null;
}

interface StartedAction {
  action: AsyncAction;
  /** Polls of its status that are left before it is done. */
  pollsLeft: number;
  willFail: boolean;
  work: () => string;
}

/** The actions a sandbox has promised. Progress is counted in polls of the status, so that no test has to wait. */
export class AsyncActions {
  readonly #started = new Map<string, StartedAction>();

  start(action: Omit<AsyncAction, 'status'>, polls: number, willFail: boolean, work: StartedAction['work']): void {
    this.#started.set(action.id, { action: { ...action, status: 'running' }, pollsLeft: polls, willFail, work });
  }

  /** @throws VendorError 404 for an action that was never started */
  status(id: string): AsyncAction {
    const started = this.#find(id);
    if (started.pollsLeft > 0) started.pollsLeft -= 1;
    else if (started.action.status === 'running') started.action.status = started.willFail ? 'failed' : 'succeed';
    return started.action;
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

  #find(id: string): StartedAction {
    const started = this.#started.get(id.toLowerCase());
    if (!started) throw notFound(`Asynchronous action ${id}`);
    return started;
  }
}
