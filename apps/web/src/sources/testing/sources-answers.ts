import { listSourceKinds, listSources } from '@keepwatch/contract/sources/sources';
import { type IntakeToken, listIntakeTokens } from '@keepwatch/contract/tool-reports/tool-reports';
import { type Answers, createAnswers } from '../../testing/answers.ts';
import { buildId } from '../../testing/builders.ts';
import type { Source, SourceKind } from '../sources.data.ts';

/** For the tests of the sources: a server with these consoles and tokens. */
export function answersWith({ sources = [], tokens = [] }: { sources?: Source[]; tokens?: IntakeToken[] }): Answers {
  return createAnswers()
    .on(listSources, { success: true, data: sources })
    .on(listSourceKinds, { success: true, data: [buildKind()] })
    .on(listIntakeTokens, ({ query: { limit, offset } }) => ({
      success: true as const,
      count: tokens.length,
      data: tokens.slice(offset, offset + limit),
    }));
}

export function buildKind(fields: Partial<SourceKind> = {}): SourceKind {
  return {
    kind: 'vac',
    label: 'Service Provider Console',
    settings: [
      { name: 'url', label: 'Address', hint: 'With its port.', kind: 'url', isRequired: true },
      {
        name: 'apiKey',
        label: 'API key',
        hint: 'Create it in the console for a dedicated user.',
        kind: 'secret',
        isRequired: false,
      },
      { name: 'username', label: 'User name', hint: 'Only without a key.', kind: 'text', isRequired: false },
    ],
    ...fields,
  };
}

export function buildSource(fields: Partial<Source> = {}): Source {
  return {
    _id: buildId(600),
    kind: 'vac',
    label: 'Service Provider Console',
    name: 'Main console',
    isEnabled: true,
    syncIntervalMinutes: 5,
    settings: { url: 'https://console.test:1280', username: '' },
    status: 'SUCCEEDED',
    lastSync: '2026-03-15T11:55:00.000Z',
    failed: [],
    jobs: 1_493,
    unmatchedRuns: 0,
    ...fields,
  };
}

export function buildToken(number: number, fields: Partial<IntakeToken> = {}): IntakeToken {
  return {
    _id: buildId(800 + number),
    name: `server-${number}`,
    companyId: buildId(1),
    companyName: 'Company 1',
    createdAt: '2026-03-01T08:00:00.000Z',
    lastUsedAt: null,
    hasTestRun: false,
    ...fields,
  };
}
