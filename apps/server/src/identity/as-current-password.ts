import { record } from '../audit/audit.ts';
import { Refusal } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';

/** Waits for the proof of the current password of who asks. A refusal is in the users logs, and says that it is the current one that is wrong. */
export async function asCurrentPassword<T>(context: SignedInContext, proof: Promise<T>): Promise<T> {
  try {
    return await proof;
  } catch (error) {
    // A new password that is not good enough says nothing of the current one.
    if (!(error instanceof Refusal) || error.code === 'PASSWORD_REFUSED') throw error;
    await record(context.database, context, { action: 'session.refused' });
    if (error.code === 'WRONG_CREDENTIALS')
      throw new Refusal(401, 'WRONG_CREDENTIALS', 'The current password is not valid.');
    throw error;
  }
}
