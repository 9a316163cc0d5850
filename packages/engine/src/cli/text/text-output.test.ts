import { expect, test } from 'vitest';
import { JsonOutput } from '../json-output.ts';
import { TextOutput } from './text-output.ts';

function streams() {
  const written = { out: '', problems: '', terminal: '' };
  const to = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
      return true;
    },
  });
  // Of a stream only `write` is used here.
  const stream = (name: keyof typeof written) => to(name) as unknown as NodeJS.WritableStream;
  return { written, out: stream('out'), problems: stream('problems'), terminal: { ...to('terminal'), columns: 80 } };
}

const progress = { what: 'Ada', done: 1, total: 4, unit: 'objects' } as const;

test('redraws one line at a terminal, seldom enough, and clears it before anything else is said', () => {
  const { written, ...all } = streams();
  let now = 0;
  const output = new TextOutput(all, { columns: 80, showsIds: false }, () => now);
  output.progress(progress);
  output.progress(progress);
  now = 150;
  output.progress({ ...progress, done: 2 });
  output.say('Done.');
  output.end(0, 4.2);
  expect(written.terminal.split('\r').length - 1).toBe(3);
  expect(written.terminal.endsWith('\r\u001b[K')).toBe(true);
  expect(written.out).toBe('Done.\nTook 5 s.\n');
});

test('keeps results and problems apart, and shows no progress where nothing can be redrawn', () => {
  const { written, ...all } = streams();
  const output = new TextOutput({ ...all, terminal: null }, { columns: null, showsIds: false });
  output.progress(progress);
  output.rows([], 'Nothing.');
  output.problem('Bad \u001b[2J.\nSecond line.');
  output.wait('Waiting 5 min.');
  output.end(0, 1);
  const problems = 'Bad \ufffd[2J.\nSecond line.\nWaiting 5 min.\n';
  expect(written).toEqual({ out: 'Nothing.\n', problems, terminal: '' });
});

test('writes one JSON object a line, whatever names hold, and the end last', () => {
  const { written, out } = streams();
  const output = new JsonOutput(out);
  output.rows([{ name: 'a\nb"\u2028', date: new Date(0), bytes: 1 }]);
  output.problem('Bad.', { code: 'lost' });
  output.wait('Waiting 5 min.', { seconds: 300 });
  output.end(3, 0.25);
  expect(
    written.out
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { type: 'row', name: 'a\nb"\u2028', date: '1970-01-01T00:00:00.000Z', bytes: 1 },
    { type: 'problem', message: 'Bad.', code: 'lost' },
    { type: 'wait', message: 'Waiting 5 min.', seconds: 300 },
    { type: 'end', exitCode: 3, seconds: 0.25 },
  ]);
});
