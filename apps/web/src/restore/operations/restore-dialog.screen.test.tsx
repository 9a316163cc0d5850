import type { RestoreOperation } from '@keepwatch/contract/restore/explorer';
import {
  restoreMailboxToOriginal,
  restoreMailItemsToAnother,
  restoreMailItemsToOriginal,
} from '@keepwatch/contract/restore/mailboxes';
import {
  cancelRestoreOperation,
  confirmRestoreCode,
  listRestoreOperationItems,
  readRestoreOperation,
  requestRestoreCode,
} from '@keepwatch/contract/restore/sessions';
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildOperation } from '../testing/builders.ts';
import { outlookAnswers } from '../testing/restore-answers.ts';

const path = '/o365/outlook?at=mailbox~mailbox-1~Person+1&at=mail-folder~Inbox~Inbox';
const user = buildUser({ roles: ['o365_admin'] });

const plan = buildOperation(60, { isPlan: true });
const second = buildOperation(62, { isPlan: true });
const planned = {
  ...plan,
  state: 'Success' as const,
  restored: 1,
  skipped: 1,
  skippedBecause: { 'is there unchanged': 1 },
};
const restore = buildOperation(61);
const restored = { ...restore, state: 'Warning' as const, restored: 1, failed: 1 };
const lost = {
  id: 'message-2',
  kind: 'message',
  name: '=Message 2',
  path: 'Inbox',
  outcome: 'failed' as const,
  reason: 'Microsoft refused it.',
};

function answersWith(after: RestoreOperation = restored) {
  return outlookAnswers()
    .on(restoreMailItemsToOriginal, ({ body: { planOnly } }) => ({
      success: true as const,
      data: planOnly ? plan : restore,
    }))
    .on(restoreMailItemsToAnother, ({ body: { planOnly } }) => ({
      success: true as const,
      data: planOnly ? plan : restore,
    }))
    .on(readRestoreOperation, ({ params: { operationId } }) => ({
      success: true as const,
      data: operationId === plan.id ? planned : after,
    }))
    .on(listRestoreOperationItems, { success: true, count: 1, data: [lost] })
    .on(requestRestoreCode, {
      success: true,
      data: {
        userCode: 'ABCD-EFGH',
        verificationUrl: 'https://microsoft.com/devicelogin',
        message: '',
        expiresIn: 900,
        interval: 0,
      },
    })
    .refuse(confirmRestoreCode, 409, { code: 'DEVICE_CODE_PENDING', message: 'not yet' });
}

const token = { account: 'ada@contoso.test', role: 'administrator' as const, expiresAt: '2026-03-15T13:00:00.000Z' };

async function openDialog(answers = answersWith()) {
  const opened = openPortal({ path, user, answers });
  const { page, person } = opened;
  await person.click(await page.findByRole('checkbox', { name: 'Select Message 1' }));
  await person.click(page.getByRole('checkbox', { name: 'Select Message 2' }));
  await person.click(page.getByRole('button', { name: 'Restore…' }));
  const dialog = within(await page.findByRole('dialog', { name: 'Restore Message 1 and 1 more' }));
  return { ...opened, dialog };
}

test('shows the plan before anything is written, asks for the sign-in at Microsoft, restores, and reports each item', async () => {
  const { answers, dialog, person } = await openDialog();
  await person.click(dialog.getByRole('button', { name: 'Show the plan' }));
  const figures = await dialog.findByRole('list', { name: 'Plan' });
  expect(figures.textContent).toContain('1 will be added');
  expect(figures.textContent).toContain('1 will be skipped');
  dialog.getByText('1 skipped: is there unchanged');
  await dialog.findByText('ABCD-EFGH');
  expect(dialog.getByRole('button', { name: 'Restore' }).hasAttribute('disabled')).toBe(true);
  answers.on(confirmRestoreCode, { success: true, data: token });
  await dialog.findByText('Signed in as ada@contoso.test (administrator)');
  await person.click(dialog.getByRole('button', { name: 'Restore' }));
  const result = await dialog.findByRole('list', { name: 'Result' });
  expect(result.textContent).toContain('1 failed');
  await dialog.findByText('Microsoft refused it.');
  const asked = answers.asked(restoreMailItemsToOriginal);
  expect(asked.map(({ body }) => [body.planOnly, body.items.map(({ id }) => id)])).toEqual([
    [true, ['message-1', 'message-2']],
    [false, ['message-1', 'message-2']],
  ]);
});

test('restores into another mailbox, in a folder of its own, with the options', async () => {
  const { answers, dialog, person } = await openDialog();
  expect(dialog.queryByRole('combobox', { name: 'Another mailbox' })).toBeNull();
  await person.click(dialog.getByRole('radio', { name: 'Somewhere else' }));
  await person.type(dialog.getByRole('combobox', { name: 'Another mailbox' }), 'bob@contoso.test');
  await person.type(dialog.getByRole('textbox', { name: 'Folder' }), 'Restored');
  await person.selectOptions(dialog.getByRole('combobox', { name: 'If an item is there and differs' }), 'keep-both');
  await person.click(dialog.getByRole('checkbox', { name: 'Mark as restored' }));
  await person.click(dialog.getByRole('button', { name: 'Show the plan' }));
  await dialog.findByRole('list', { name: 'Plan' });
  expect(answers.asked(restoreMailItemsToAnother)[0]?.body).toMatchObject({
    mailbox: 'bob@contoso.test',
    planOnly: true,
    options: { conflict: 'keep-both', markRestored: true, folder: 'Restored' },
  });
});

test('another mailbox is chosen among those that are backed up', async () => {
  const { answers, dialog, page, person } = await openDialog();
  await person.click(dialog.getByRole('radio', { name: 'Somewhere else' }));
  await person.type(dialog.getByRole('combobox', { name: 'Another mailbox' }), 'Person 2');
  // There is no layout here, by which the list would know that its field is seen.
  const name = 'Person 2 (person2@contoso.test)';
  await person.click(await page.findByRole('option', { name, hidden: true }));
  await person.click(dialog.getByRole('button', { name: 'Show the plan' }));
  await dialog.findByRole('list', { name: 'Plan' });
  expect(answers.asked(restoreMailItemsToAnother)[0]?.body).toMatchObject({ mailbox: 'person2@contoso.test' });
  await person.click(dialog.getByRole('button', { name: 'Back' }));
  expect(dialog.getByRole('combobox', { name: 'Another mailbox' })).toHaveProperty('value', name);
});

test('says why a restore is refused', async () => {
  const message = 'Error restoring the mailbox folder. Try again later.';
  const answers = answersWith().refuse(restoreMailItemsToOriginal, 500, { code: 'INTERNAL_ERROR', message });
  const { dialog, person } = await openDialog(answers);
  await person.click(dialog.getByRole('button', { name: 'Show the plan' }));
  await dialog.findByText(message);
  dialog.getByRole('button', { name: 'Show the plan' });
});

test('where a plan writes nothing, it says so and asks for no sign-in', async () => {
  const idle = { ...planned, restored: 0, skipped: 2, skippedBecause: { unchanged: 2 } };
  const answers = answersWith()
    .on(readRestoreOperation, { success: true, data: idle })
    .on(listRestoreOperationItems, { success: true, count: 1, data: [{ ...lost, name: '', outcome: 'skipped' }] });
  const { dialog, person } = await openDialog(answers);
  await person.click(dialog.getByRole('button', { name: 'Show the plan' }));
  await dialog.findByText('Nothing would be written: there is nothing to restore with these options.');
  await dialog.findByRole('row', { name: /Skipped.*\(no subject\)/ });
  expect(dialog.getByRole('button', { name: 'Restore' }).hasAttribute('disabled')).toBe(true);
  expect(answers.asked(requestRestoreCode)).toEqual([]);
});

test('of several mailboxes each restore is named by what it is of', async () => {
  const answers = answersWith()
    .on(restoreMailboxToOriginal, ({ params: { mailboxId } }) => ({
      success: true as const,
      data: mailboxId === 'mailbox-1' ? plan : second,
    }))
    .on(readRestoreOperation, ({ params: { operationId } }) => ({
      success: true as const,
      data: { ...planned, id: operationId },
    }));
  const { page, person } = openPortal({ path: '/o365/outlook', user, answers });
  await person.click(await page.findByRole('checkbox', { name: 'Select Person 1' }));
  await person.click(page.getByRole('checkbox', { name: 'Select Person 2' }));
  await person.click(page.getByRole('button', { name: 'Restore…' }));
  await person.click(await page.findByRole('button', { name: 'Show the plan' }));
  await page.findByRole('list', { name: 'Plan' });
  expect(answers.asked(restoreMailboxToOriginal).map(({ body }) => body.pathName)).toEqual(['Person 1', 'Person 2']);
});

test('cancels a restore that runs', async () => {
  const running = { ...restore, state: 'Running' as const, done: 1, total: 2 };
  const answers = answersWith(running).on(confirmRestoreCode, { success: true, data: token });
  answers.on(cancelRestoreOperation, { success: true, data: { ...running, isCancelling: true } });
  const { dialog, person } = await openDialog(answers);
  await person.click(dialog.getByRole('button', { name: 'Show the plan' }));
  await dialog.findByText('Signed in as ada@contoso.test (administrator)');
  await person.click(dialog.getByRole('button', { name: 'Restore' }));
  await dialog.findByText('1 of 2 items');
  await person.click(dialog.getByRole('button', { name: 'Cancel the restore' }));
  await waitFor(() => expect(answers.asked(cancelRestoreOperation)[0]?.params.operationId).toBe(restore.id));
});
