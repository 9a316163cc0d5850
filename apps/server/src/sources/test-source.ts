import type { BackupSourceManifest } from '@keepwatch/connectors/ports/manifest';
import { SourceError, type SourceErrorKind } from '@keepwatch/connectors/ports/source-error';
import type { SourceServices } from './source-services.ts';
import { openSource, type SourceSettings } from './source-settings.ts';

export interface TestOutcome {
  outcome: 'works' | 'wrong-credentials' | 'not-reachable' | 'not-allowed' | 'wrong-version';
  /** Message for the user: what was found, or what is wrong and how to fix it. */
  message: string;
}

/** Maximum duration of a test, as a user waits for it. */
const TEST_LIMIT_MS = 30_000;

const OUTCOMES: Readonly<Record<SourceErrorKind, TestOutcome['outcome']>> = {
  'wrong-credentials': 'wrong-credentials',
  'not-allowed': 'not-allowed',
  'not-reachable': 'not-reachable',
  throttled: 'not-reachable',
  'wrong-version': 'wrong-version',
  'bad-reply': 'wrong-version',
};

/** Tests settings: signs in and reads the vendor's version. */
export async function testSettings(
  services: SourceServices,
  manifest: BackupSourceManifest,
  settings: SourceSettings,
): Promise<TestOutcome> {
  const signal = AbortSignal.timeout(TEST_LIMIT_MS);
  try {
    const { version } = await openSource(services, manifest, settings).test(signal);
    return { outcome: 'works', message: `${manifest.label} ${version} answers.` };
  } catch (error) {
    if (error instanceof SourceError) return { outcome: OUTCOMES[error.kind], message: error.message };
    if (!signal.aborted) throw error;
    return { outcome: 'not-reachable', message: `It did not answer within ${TEST_LIMIT_MS / 1_000} seconds.` };
  }
}
