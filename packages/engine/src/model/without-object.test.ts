import { expect, test } from 'vitest';
import { processorMs } from '../../../sandbox/src/testing/processor-time.ts';
import type { Findings } from './outcome.ts';
import { withoutObjects } from './without-object.ts';

const ERASED = { keys: ['k1'], others: ['k2'], called: ['ada@contoso.example', 'b!x.y-1'], names: ['Ada'] };
const erasedOf = ({ keys, others, called, names }: Record<keyof typeof ERASED, readonly string[]>) => {
  const sets = [new Set(keys), new Set(called), new Set(names), new Set(others)] as const;
  return {
    hasKey: (key: string) => sets[0].has(key),
    isOther: (key: string) => sets[3].has(key),
    isCalled: (text: string) => sets[1].has(text),
    isNamed: (name: string) => sets[2].has(name),
  };
};
const findings = (some: Partial<Findings>): Findings => ({ failures: [], lost: [], skipped: [], alerts: [], ...some });
const item = { id: 'm', kind: 'message', name: 'M', parentId: null, reason: 'Gone.' } as const;

test('a finding with a key is of that object alone', () => {
  const found = findings({
    failures: [
      { objectName: 'Ada', message: 'One.', objectKey: 'k1' },
      { objectName: 'Ada', message: 'Of ada@contoso.example.', objectKey: 'k2' },
    ],
    lost: [
      { ...item, objectName: 'Ada', objectKey: 'k2' },
      { ...item, objectName: 'Other', objectKey: 'k1' },
    ],
    alerts: [{ code: 'a', message: 'Ada', objectKey: 'k1' }],
  });
  expect(withoutObjects(found, erasedOf(ERASED))).toEqual(
    findings({ failures: found.failures.slice(1), lost: found.lost.slice(0, 1) }),
  );
});

test.each([
  ["Of 'Ada@Contoso.example' the mailbox could not be listed, and so is not in this backup.", true],
  ['The drive b!x.y-1 could not be looked up.', true],
  ['It is (ada@contoso.example).', true],
  ['Ada is on holiday, and canada@contoso.example as well.', false],
])('what could not be listed goes by an id or address: %s', (message, goes) => {
  const found = findings({ failures: [{ objectName: null, message }], alerts: [{ code: 'a', message }] });
  expect(withoutObjects(found, erasedOf(ERASED))).toEqual(goes ? findings({}) : found);
});

test('what could not be listed goes by a name that no other object has', () => {
  const failures = ['Ada', 'Bob'].map((objectName) => ({ objectName, message: 'Refused.' }));
  expect(withoutObjects(findings({ failures }), erasedOf(ERASED)).failures).toEqual(failures.slice(1));
});

test('what could never be read goes by a name as well, although it has a key', () => {
  const failures = ['k2', 'k3'].map((objectKey) => ({ objectName: 'Ada', message: 'Refused.', objectKey }));
  expect(withoutObjects(findings({ failures }), erasedOf(ERASED)).failures).toEqual(failures.slice(0, 1));
});

test('without such findings it is the same value', () => {
  const found = findings({ failures: [{ objectName: 'Bob', message: 'B.' }] });
  expect(withoutObjects(found, erasedOf(ERASED))).toBe(found);
});

test('a thousand findings beside an organization of 20,000 names cost little', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `Person ${at}`);
  const called = names.map((name) => `${name.replace(' ', '.')}@contoso.example`.toLowerCase());
  const failures = Array.from({ length: 1_000 }, (_, at) => ({
    objectName: `Other ${at}`,
    message: `The folder ${at} of 'Sales plans' could not be read to its end: the server did not answer in time, twice.`,
  }));
  const erased = erasedOf({ keys: names, others: [], called, names });
  const search = () => {
    for (let commit = 0; commit < 10; commit += 1) withoutObjects(findings({ failures }), erased);
  };
  expect(await processorMs(search)).toBeLessThan(2_000);
});
