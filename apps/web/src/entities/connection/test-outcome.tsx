import type { TestOutcome as Outcome } from '@keepwatch/contract/connections/connections';
import { messageOf } from '../../kit/api.ts';
import styles from './connection.module.css';

/** What each outcome of a test means, and what to do about it. */
export type OutcomeTexts = Readonly<Record<Outcome['outcome'], string>>;

export const OUTCOME_TEXTS: OutcomeTexts = {
  works: 'It works: the system answers and accepts the settings.',
  'wrong-credentials': 'The system does not accept these credentials. Check the key, or user name and password.',
  'not-reachable': 'The system cannot be reached. Check the address, the port, the certificate and your firewall.',
  'not-allowed': 'The credentials are right, but lack permissions. Give that user more rights in the system.',
  'wrong-version': 'Something answers at that address, but no version of the system that can be used from here.',
};

interface TestOutcomeProps {
  /** Those of a noun of its own; of any system otherwise. */
  texts?: OutcomeTexts;
  /** What is asked, within a sentence: `console`. */
  noun?: string;
  result: Outcome | undefined;
  isPending: boolean;
  error: unknown;
}

/** How a test ended, in words; below it what the system itself said. */
export function TestOutcome({ texts = OUTCOME_TEXTS, noun = 'system', result, isPending, error }: TestOutcomeProps) {
  const isBad = error !== null || (result !== undefined && result.outcome !== 'works');
  return (
    <div
      className={styles.outcome}
      role="status"
      data-bad={isBad || undefined}
      data-shown={result !== undefined || error !== null || undefined}
    >
      {isPending && `Asking the ${noun}…`}
      {error !== null && messageOf(error)}
      {result !== undefined && (
        <>
          {texts[result.outcome]}
          {result.message !== '' && <span className={styles.said}>{result.message}</span>}
        </>
      )}
    </div>
  );
}
