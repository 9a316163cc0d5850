import { record } from '../audit/audit.ts';
import { Refusal } from '../foundation/errors.ts';
import type { PublicContext } from '../foundation/http/context.ts';

/** Waits for a sign-in, and records it in the users logs if it is refused. */
export async function recordingRefusals<T>(
  context: PublicContext,
  { providerId, username }: { providerId: number; username: string },
  signIn: Promise<T>,
  action: 'session.refused' | 'session.refused-answers' = 'session.refused',
): Promise<T> {
  try {
    return await signIn;
  } catch (error) {
    const who = { providerId, userId: null, username };
    // A new password that is not good enough comes with a right one.
    if (error instanceof Refusal && error.code !== 'PASSWORD_REFUSED')
      await record(context.database, context, { action, who });
    throw error;
  }
}
