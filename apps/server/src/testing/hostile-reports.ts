import { TEST_NOW } from './test-now.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const STARTED_AT = new Date(TEST_NOW.getTime() - 3_600_000).toISOString();

/** Reports of almost 8 MB, each made to cost as much as it can. */
export const HOSTILE_REPORTS: Readonly<Record<string, () => string>> = {
  '1,000 runs of 3,900 wrong lines': () =>
    listOf(1_000, (index) =>
      run(
        index,
        Array.from({ length: 3_900 }, () => 1),
      ),
    ),
  '1,000 runs of 100 wrong lines': () =>
    listOf(1_000, (index) =>
      run(
        index,
        Array.from({ length: 100 }, () => null),
      ),
    ),
  '1,000 runs of 100 lines': () =>
    listOf(1_000, (index) =>
      run(
        index,
        Array.from({ length: 100 }, () => 'x'.repeat(70)),
      ),
    ),
  'one run of 100,000 lines': () =>
    JSON.stringify(
      run(
        1,
        Array.from({ length: 100_000 }, () => 'x'.repeat(70)),
      ),
    ),
  'one run of 800,000 fields': () => `{${keys(800_000)}}`,
  'one line of 800,000 fields': () => `{"startedAt":"${STARTED_AT}","log":[{${keys(800_000)}}]}`,
  'the same field again and again': () => `{${'"message":"a",'.repeat(550_000)}"result":"Failed"}`,
  'a number of 8,000,000 digits': () => `{"durationMs":${'1'.repeat(8_000_000)}}`,
  'a text of 8,000,000 letters': () => `{"message":"${'x'.repeat(8_000_000)}","startedAt":"${'1'.repeat(300_000)}"}`,
  'a text of escapes': () => `{"message":"${'\\u0000'.repeat(1_300_000)}"}`,
  'a text of other letters': () => `{"message":"${'€'.repeat(2_700_000)}"}`,
  'lists in lists': () => repeated('['),
  'objects in objects': () => repeated('{"a":'),
  'closed lists in lists': () => `{"log":${'['.repeat(900)}${']'.repeat(900)},"x":[${repeated('[],').slice(42)}1]}`,
  'millions of numbers': () => `{"log":[${repeated('1,').slice(42)}1]}`,
  'millions of objects': () => `{"log":[${repeated('{},').slice(42)}1]}`,
  'millions of short lines': () => repeated('x\n'),
  'messages of restic': () =>
    repeated(`{"message_type":"error","error":{"message":"m"},"during":"d","item":"/i"}\n`, 99_000),
  'messages of restic that are wrong': () => repeated('{"message_type":"summary","data_added":"x"}\n', 99_000),
  'messages of borg': () => repeated('{"type":"log_message","levelname":"WARNING","message":"m","time":1}\n', 99_000),
};

function run(index: number, log: readonly unknown[]): object {
  return {
    startedAt: new Date(Date.parse(STARTED_AT) - index * 60_000).toISOString(),
    durationMs: 1,
    result: 'Failed',
    log,
  };
}

function listOf(count: number, one: (index: number) => object): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => one(index)));
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join();
}

function repeated(unit: string, most = MOST_BYTES): string {
  return unit.repeat(Math.min(most, Math.floor((MOST_BYTES - 1_000) / unit.length)));
}
