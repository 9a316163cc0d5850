import { CallFailed } from '@keepwatch/contract/wire/client';

const NO_RESPONSE = 'No response received from server. Try again later.';
const NOT_SENT = 'Error setting up the request. Try again later.';

/**
 * Changes or removes a repository, with the words of the specification ("microsoft365", part 8) where the server did not answer, and where it could not
 * even be asked. What the server answered is thrown as it is.
 */
export async function inSpecifiedWords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isOfCall = error instanceof CallFailed;
    if (isOfCall && error.code !== 'NO_CONNECTION') throw error;
    const message = isOfCall ? NO_RESPONSE : NOT_SENT;
    throw new CallFailed(0, { success: false, code: 'NO_CONNECTION', message }, error);
  }
}
