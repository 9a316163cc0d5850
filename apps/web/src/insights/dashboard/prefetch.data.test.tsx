import { getChanges } from '@keepwatch/contract/insights/changes';
import { getHistoryChart, getOverviewStats } from '@keepwatch/contract/insights/insights';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import * as screen from './dashboard.screen.tsx';
import { quietDashboard } from './testing/quiet-dashboard.ts';

const path = '/monitoring/dashboard';

// A key that differs from the hook's would load every figure twice and make the first load slower, not faster.
test('the page shows what was asked before it was drawn, and asks for none of it again', async () => {
  const address = `${path}?source=office365&date=Yesterday`;
  const answers = quietDashboard();
  const { page } = openPortal({ path: address, user: buildUser(), answers, first: [screen] });
  await page.findByText('97.3%');
  await page.findByText('No job is disabled. Ignored jobs are not shown.');
  expect(answers.asked(getOverviewStats)).toHaveLength(1);
  expect(answers.asked(getHistoryChart)).toHaveLength(1);
  expect(answers.asked(getChanges)).toHaveLength(1);
});

test('asks for nothing if the guard will redirect the user', () => {
  const answers = createAnswers();
  openPortal({ path, user: buildUser({ roles: ['o365_admin'] }), answers, first: [screen] });
  openPortal({ path, answers, first: [screen] });
  expect(answers.asked(getOverviewStats)).toEqual([]);
});
