import { messageOf } from '../kit/api.ts';
import styles from './source-dialog.module.css';
import type { TestResult } from './sources.data.ts';

/** What each outcome means, and what to do about it. */
export const OUTCOME_TEXTS: Readonly<Record<TestResult['outcome'], string>> = {
  works: 'It works: the console answers and lets itself be read.',
  'wrong-credentials': 'The console does not accept these credentials. Check the key, or user name and password.',
  'not-reachable': 'The console cannot be reached. Check the address, the port, the certificate and your firewall.',
  'not-allowed':
    'The credentials are right, but may not read what is needed. Give that user more rights in the console.',
  'wrong-version': 'Something answers at that address, but no version of the console that can be read from here.',
};

interface TestOutcomeProps {
  result: TestResult | undefined;
  isPending: boolean;
  error: unknown;
}

/** How the test of the settings ended, in words; below it what the console itself said. */
export function TestOutcome({ result, isPending, error }: TestOutcomeProps) {
  const isBad = error !== null || (result !== undefined && result.outcome !== 'works');
  return (
    <div
      className={styles.outcome}
      role="status"
      data-bad={isBad || undefined}
      data-shown={result !== undefined || error !== null || undefined}
    >
      {isPending && 'Asking the console…'}
      {error !== null && messageOf(error)}
      {result !== undefined && (
        <>
          {OUTCOME_TEXTS[result.outcome]}
          {result.message !== '' && <span className={styles.said}>{result.message}</span>}
        </>
      )}
    </div>
  );
}
