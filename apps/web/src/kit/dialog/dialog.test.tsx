import { TextInput } from '@mantine/core';
import { waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { Dialog } from './dialog.tsx';

function Renaming() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && (
        <Dialog isForm size="md" title="Rename it" onClose={() => setOpen(false)}>
          <TextInput label="Name" data-autofocus />
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
