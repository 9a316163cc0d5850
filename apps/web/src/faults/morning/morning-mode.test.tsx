import { editFaults, getFault } from '@keepwatch/contract/faults/faults';
import { closeFault, openFault } from '@keepwatch/contract/faults/viewers';
import { editProfile } from '@keepwatch/contract/identity/sessions';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildFault, buildSharing, type FaultServer, serveFaults, viewing } from '../testing/faults.ts';

const QUEUE = '/monitoring/queue?state=open';

async function openMorning(server: FaultServer, first: string | null = 'Job 1', morning = 'start') {
  const user = buildUser();
  server.answers.on(editProfile, { success: true, data: user });
  const opened = openPortal({ path: `${QUEUE}&morning=${morning}`, user, answers: server.answers });
  const title = (name: string) => opened.page.findByRole('heading', { level: 2, name });
  if (first !== null) await title(first);
  return { ...opened, title };
}
const states = ({ stored }: FaultServer) => [...stored.values()].map(({ state }) => state);

test('Enter opens the first fault; keys decide and go on to the end, which says what was done', async () => {
  const server = serveFaults([1, 2, 3, 4, 5].map((number) => buildFault(number)));
  const user = buildUser();
  server.answers.on(editProfile, { success: true, data: user });
  const { page, person } = openPortal({ path: QUEUE, user, answers: server.answers });
  const title = (name: string) => page.findByRole('heading', { level: 2, name });
  await page.findByText('Job 1');
  await person.keyboard('{Enter}');
  await title('Job 1');
  await page.findByText('1 of 5');
  await person.keyboard('r');
  await title('Job 2');
  page.getByText('2 of 5');
  await person.keyboard('p');
  await title('Job 3');
  await person.keyboard('i');
  await person.click(await page.findByRole('button', { name: 'Permanently' }));
  await title('Job 4');
  page.getByText('4 of 5, less than a minute');
  await person.keyboard('n');
  await person.keyboard('Disk ordered{Control>}{Enter}{/Control}');
  await title('Job 5');
  await person.keyboard('j');
  await page.findByRole('heading', { name: '2 faults left at 12:00 PM' });
  page.getByText('4 faults handled in 0s: 1 resolved, 1 ignored, 1 in progress, 1 noted, 1 skipped.');
  await waitFor(() => expect(states(server)).toEqual(['resolved', 'in-progress', 'ignored', 'pending', 'pending']));
  expect(server.stored.get(buildId(4))?.note).toBe('Disk ordered');
  const report = page.getByRole('group', { name: 'Report' });
  await waitFor(() => expect(report.textContent).toContain('- Job 2 (Acme): operator'));
  expect(page.getByRole('link', { name: 'Send by mail' }).getAttribute('href')).toMatch(/^mailto:\?subject=2%20faults/);
  await person.click(page.getByRole('button', { name: 'Go through 1 skipped fault' }));
  await title('Job 5');
});

test('offers the note with which the same message was solved before', async () => {
  const server = serveFaults([buildFault(1)]);
  const where = { jobName: 'Mail', companyName: 'Acme', at: '2026-02-03T10:00:00.000Z' };
  server.solved.set(buildId(1), { ...where, why: 'message', by: 'anna', note: 'Renewed the certificate' });
  const { page, person } = await openMorning(server);
  await person.click(await page.findByRole('button', { name: 'Use this note' }));
  const field = page.getByRole('textbox', { name: 'Note' });
  await waitFor(() => expect(field).toHaveProperty('value', 'Renewed the certificate'));
  expect(document.activeElement).toBe(field);
});

test('all of a cause is decided as one, by the switch or with Shift, and undone as one', async () => {
  const server = serveFaults([...buildSharing([1, 2, 3]), buildFault(4)]);
  const { page, person, answers, title } = await openMorning(server);
  page.getByRole('heading', { name: 'vbr-03 does not answer: 3 jobs, 1 company' });
  page.getByText('One cause: same server.');
  page.getByText('Job 3 (Acme)');
  await person.keyboard('a');
  page.getByRole('button', { name: 'Resolve all 3' });
  await person.keyboard('a{Shift>}R{/Shift}');
  await title('Job 4');
  await page.findByText('3 faults resolved.');
  page.getByText('4 of 4');
  expect(answers.asked(editFaults)[0]?.body.ids).toEqual([1, 2, 3].map(buildId));
  await person.keyboard('z');
  await title('Job 1');
  expect(states(server)).toEqual(['pending', 'pending', 'pending', 'pending']);
  page.getByText('1 of 4');
});

test('what was written goes with the decision, and is there again after skipping', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers, title } = await openMorning(server);
  await person.keyboard('n');
  await person.keyboard('Asked the customer{Escape}j');
  await title('Job 2');
  await person.keyboard('k');
  await title('Job 1');
  expect(page.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'Asked the customer');
  await person.keyboard('r');
  await title('Job 2');
  expect(answers.asked(editFaults)[0]?.body.change).toEqual({
    state: 'resolved',
    note: { content: 'Asked the customer' },
  });
});

test('a decision that fails comes again', async () => {
  const server = serveFaults([buildFault(1)]);
  const { page, person, answers, title } = await openMorning(server);
  answers.refuse(editFaults, 500, { code: 'INTERNAL_ERROR', message: 'The faults could not be changed.' });
  await person.keyboard('r');
  await page.findByText('Job 1 (Acme) was not resolved: The faults could not be changed.');
  await title('Job 1');
});

test('passes over what another user has open or in progress, and says whose it is', async () => {
  const server = serveFaults([
    buildFault(1),
    buildFault(2, { state: 'in-progress', changedBy: 'ben' }),
    buildFault(3),
    buildFault(4, { state: 'in-progress', changedBy: 'operator' }),
  ]);
  server.viewers.push(viewing(buildId(1), 'anna'));
  const { page, person, title } = await openMorning(server, 'Job 3');
  page.getByText('1 of 2');
  await person.keyboard('r');
  await title('Job 4');
  await person.keyboard('r');
  await page.findByText('1 fault is open to colleagues at this moment.');
  page.getByText('ben', { selector: 'strong' });
  // She leaves it undecided.
  server.viewers.length = 0;
  server.answers.emit('fault-viewers.changed');
  await title('Job 1');
});

test('of two who open a fault at once the second goes on, unless the fault was asked for', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const late = [viewing(buildId(1), 'anna')];
  server.answers.on(openFault, ({ params: { id } }) => ({
    success: true as const,
    data: late.filter(({ faultId }) => faultId === id),
  }));
  await openMorning(server, 'Job 2');
});

test('a fault that was asked for is shown although another user has it open', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  server.viewers.push(viewing(buildId(2), 'anna'));
  const { page } = await openMorning(server, 'Job 2', buildId(2));
  await page.findByText('anna has this open');
});

test('what another user settles meanwhile says so; keys decide nothing more, and go on', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers, title } = await openMorning(server);
  server.stored.set(buildId(1), buildFault(1, { state: 'resolved', changedBy: 'anna' }));
  answers.emit('executions.changed');
  await page.findByText(/^anna resolved this\./);
  await person.keyboard('r');
  await title('Job 2');
  expect(answers.asked(editFaults)).toEqual([]);
  // A second r that was meant for the first fault decides nothing of the one that has just come.
  await person.keyboard('r');
  expect(answers.asked(editFaults)).toEqual([]);
});

test('a fault whose job is deleted meanwhile says so, and goes on', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers, title } = await openMorning(server);
  server.stored.delete(buildId(1));
  answers.refuse(getFault, 404, { code: 'NOT_FOUND', message: 'The fault was not found.' });
  answers.emit('executions.changed');
  await page.findByText(/^This fault no longer exists/);
  await person.keyboard('j');
  await title('Job 2');
});

test('says which fault is open, and that none is after leaving', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers, title } = await openMorning(server);
  await person.keyboard('r');
  await title('Job 2');
  await waitFor(() => expect(answers.asked(openFault).map(({ params }) => params.id)).toEqual([1, 2].map(buildId)));
  expect(answers.asked(closeFault)).toEqual([]);
  await person.keyboard('{Escape}');
  await page.findByRole('grid', { name: 'Faults' });
  await waitFor(() => expect(answers.asked(closeFault)).toHaveLength(1));
});
