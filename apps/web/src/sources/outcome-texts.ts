import type { OutcomeTexts } from '../entities/connection/test-outcome.tsx';

/** What each outcome of a console's test means, and what to do about it. */
export const OUTCOME_TEXTS: OutcomeTexts = {
  works: 'It works: the console answers and lets itself be read.',
  'wrong-credentials': 'The console does not accept these credentials. Check the key, or user name and password.',
  'not-reachable': 'The console cannot be reached. Check the address, the port, the certificate and your firewall.',
  'not-allowed':
    'The credentials are right, but may not read what is needed. Give that user more rights in the console.',
  'wrong-version': 'Something answers at that address, but no version of the console that can be read from here.',
};
