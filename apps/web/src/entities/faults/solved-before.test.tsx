import type { SolvedBefore as Solved } from '@keepwatch/contract/executions/job-executions';
import { expect, test, vi } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { SolvedBefore } from './solved-before.tsx';

const solved: Solved = {
  why: 'message',
  by: 'anna',
  at: '2026-02-03T10:00:00.000Z',
  note: 'Renewed the application certificate',
  jobName: 'Mail',
  companyName: 'Acme',
};

async function textOf(given: Partial<Solved> = {}): Promise<string | null> {
  const { page } = openComponent(() => <SolvedBefore solved={{ ...solved, ...given }} />);
  const text = (await page.findByRole('region', { name: 'Solved before' })).textContent;
  page.unmount();
  return text;
}

test('says who solved it, when, where and how', async () => {
  expect(await textOf()).toBe(
    'This message was last solved by anna on Feb 3 (Mail, Acme):Renewed the application certificate',
  );
  expect(await textOf({ why: 'server', companyName: null })).toContain(
    'This cause was last solved by anna on Feb 3 (Mail):',
  );
});

test('names the year of one that was solved in another', async () => {
  expect(await textOf({ at: '2025-11-03T10:00:00.000Z' })).toContain('on Nov 3, 2025 ');
});

test('gives the note to who may use it, and has no button for others', async () => {
  const onUse = vi.fn();
  const { page, person } = openComponent(() => <SolvedBefore solved={solved} onUse={onUse} />);
  await person.click(await page.findByRole('button', { name: 'Use this note' }));
  expect(onUse).toHaveBeenCalledExactlyOnceWith('Renewed the application certificate');
  page.unmount();
  const reader = openComponent(() => <SolvedBefore solved={solved} />);
  await reader.page.findByRole('region', { name: 'Solved before' });
  expect(reader.page.queryByRole('button', { name: 'Use this note' })).toBeNull();
});

test('is nothing where nothing was solved before', async () => {
  const { page } = openComponent(() => (
    <p>
      Here: <SolvedBefore solved={null} />
    </p>
  ));
  expect((await page.findByText('Here:')).children).toHaveLength(0);
});
