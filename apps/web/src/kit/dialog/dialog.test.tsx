import { CallFailed } from '@keepwatch/contract/wire/client';
import { Button, TextInput } from '@mantine/core';
import { waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';

const TAKEN = new CallFailed(409, { success: false, code: 'CONFLICT', message: 'The name is taken.' });

/** Refuses everything that is sent. */
function Renaming() {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && (
        <Dialog isForm size="md" title="Rename it" onClose={() => setOpen(false)}>
          <DialogForm onSubmit={() => setError(TAKEN)} error={error} actions={<Button type="submit">Save</Button>}>
            <TextInput label="Name" data-autofocus />
          </DialogForm>
        </Dialog>
      )}
    </>
  );
}

async function openRenaming() {
  const opened = openComponent(Renaming);
  await opened.person.click(await opened.page.findByRole('button', { name: 'Rename' }));
  const dialog = within(await opened.page.findByRole('dialog', { name: 'Rename it' }));
  return { ...opened, dialog };
}

test.each(['Escape', 'Close'])('gives the focus back to the button that opened it, after %s', async (way) => {
  const { page, person, dialog } = await openRenaming();
  if (way === 'Escape') await person.keyboard('{Escape}');
  else await person.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Rename' }));
});

test('sends the form with Enter, and says below its fields why it was refused', async () => {
  const { person, dialog } = await openRenaming();
  await person.type(dialog.getByLabelText('Name'), 'North{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toBe('The name is taken.');
  expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'North');
});
