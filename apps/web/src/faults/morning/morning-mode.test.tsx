import { editFaults, getFault, listFaults } from '@keepwatch/contract/faults/faults';
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
  await person.click(await page.findByRole('button', { name: 'Until it fails again' }));
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

const FAILED_AGAIN = { runs: 4, lastStartedAt: '2026-03-15T11:59:30.000Z', lastExecutionId: buildId(9_001) };

test('a fault that was resolved comes again when its job fails again, and nothing is clear until then', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers, title } = await openMorning(server);
  await person.keyboard('r');
  await title('Job 2');
  await waitFor(() => expect(states(server)).toEqual(['resolved', 'pending']));
  server.stored.set(buildId(1), buildFault(1, FAILED_AGAIN));
  answers.emit('executions.changed');
  await page.findByText('1 of 2');
  await person.keyboard('r');
  await title('Job 1');
  await person.keyboard('r');
  await page.findByRole('heading', { name: /^All clear/ });
  expect(states(server)).toEqual(['resolved', 'resolved']);
  // Another person reopens one at the end.
  server.stored.set(buildId(2), buildFault(2));
  answers.emit('executions.changed');
  await title('Job 2');
});

test('reads past what other people have in progress, and counts all that is left', async () => {
  const ofBen = { state: 'in-progress', changedBy: 'ben' } as const;
  const server = serveFaults(Array.from({ length: 503 }, (_, number) => buildFault(number, number < 501 ? ofBen : {})));
  const { page, answers } = await openMorning(server, 'Job 501');
  page.getByText('1 of 2');
  const pages = answers.asked(listFaults).filter(({ query }) => query.limit === 500);
  expect(pages.map(({ query }) => query.offset)).toEqual([0, 500]);
});

test('does not say that all is clear where a source was not read', async () => {
  const server = serveFaults([buildFault(1)]);
  server.stopped.push({ _id: buildId(7), name: 'Main console', readTo: '2026-03-12T12:00:00.000Z' });
  const { page, person } = await openMorning(server);
  await person.keyboard('r');
  await page.findByRole('heading', { name: 'No open faults at 12:00 PM' });
  const said = '1 source has not been read since 03/12/26 12:00 PM. Runs since then are not known.';
  await page.findByText(said);
  const report = page.getByRole('group', { name: 'Report' });
  expect(report.textContent).toContain('No open faults at 12:00 PM: 1 fault handled');
  expect(report.textContent).toContain(said);
  expect(page.queryByText(/All clear/)).toBeNull();
});

test('a key that was meant for a fault that another person had first decides nothing of the next one', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const answer = Promise.withResolvers<void>();
  server.answers.on(openFault, async ({ params: { id } }) => {
    await answer.promise;
    return { success: true as const, data: id === buildId(1) ? [viewing(id, 'anna')] : [] };
  });
  const { page, person, answers, title } = await openMorning(server);
  answer.resolve();
  await title('Job 2');
  await person.keyboard('r');
  await page.findByText('anna has Job 1 (Acme) open.');
  expect(answers.asked(editFaults)).toEqual([]);
});

test('a note that is being written stays when the job fails again, and goes with the decision', async () => {
  const server = serveFaults([buildFault(1), buildFault(2)]);
  const { page, person, answers, title } = await openMorning(server);
  await person.keyboard('nHalf a page');
  server.stored.set(buildId(1), buildFault(1, FAILED_AGAIN));
  answers.emit('executions.changed');
  await page.findByRole('heading', { name: '4 runs in a row' });
  expect(page.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'Half a page');
  await person.keyboard('{Escape}r');
  await title('Job 2');
  expect(answers.asked(editFaults)[0]?.body.change.note).toEqual({ content: 'Half a page' });
});

test('all of a cause leaves out what colleagues have open, and says who has it', async () => {
  const server = serveFaults(buildSharing([1, 2, 3]));
  server.viewers.push(viewing(buildId(2), 'anna'));
  const { page, person, answers } = await openMorning(server);
  await page.findByText('1 is with anna: left out.');
  page.getByRole('heading', { name: 'vbr-03 does not answer: 2 jobs, 1 company' });
  await person.keyboard('{Shift>}R{/Shift}');
  await page.findByText('1 fault is open to colleagues at this moment.');
  expect(answers.asked(editFaults)[0]?.body.ids).toEqual([1, 3].map(buildId));
  expect(states(server)).toEqual(['resolved', 'pending', 'resolved']);
});

test('takes no credit for what others had settled before, or what no longer exists', async () => {
  const server = serveFaults([...buildSharing([1, 2]), buildFault(3)]);
  const { page, person, title } = await openMorning(server);
  server.stored.set(buildId(1), buildFault(1, { state: 'resolved', changedBy: 'ben' }));
  await person.keyboard('{Shift>}R{/Shift}');
  await title('Job 3');
  await page.findByText('1 fault was resolved already.');
  server.stored.delete(buildId(3));
  await person.keyboard('r');
  await page.findByText('1 fault no longer exists.');
  await page.findByText('1 fault handled in 0s: 1 resolved, 2 settled by others.');
});

test('what one has in progress oneself stays that when it is marked so again', async () => {
  const server = serveFaults([buildFault(1, { state: 'in-progress', changedBy: 'operator' })]);
  const { page, person } = await openMorning(server);
  await person.keyboard('p');
  await page.findByText('1 fault handled in 0s: 1 in progress.');
});

test('says how long no run was fine, and only of failures that there is no good restore point', async () => {
  const server = serveFaults([buildFault(1), buildFault(2, { kind: 'warning' })]);
  const { page, person, title } = await openMorning(server);
  page.getByText('No good restore point for 4 days');
  await person.keyboard('j');
  await title('Job 2');
  page.getByText('Not fine for 4 days');
});

test('the keyboard stays at the fault after a click and after a note, and each fault is announced', async () => {
  const server = serveFaults([buildFault(1), buildFault(2), buildFault(3)]);
  const { page, person, title } = await openMorning(server);
  const morning = page.getByRole('region', { name: 'Working through the faults' });
  const announced = page.getByText('Job 1 (Acme)', { selector: '[aria-live]' });
  await person.click(page.getByRole('button', { name: /^Resolve/ }));
  await title('Job 2');
  expect(document.activeElement).toBe(morning);
  expect(announced.textContent).toBe('Job 2 (Acme)');
  await person.keyboard('nDisk ordered{Control>}{Enter}{/Control}');
  await title('Job 3');
  expect(document.activeElement).toBe(morning);
  expect(announced.isConnected).toBe(true);
  await waitFor(() => expect(announced.textContent).toBe('Job 3 (Acme)'));
});
