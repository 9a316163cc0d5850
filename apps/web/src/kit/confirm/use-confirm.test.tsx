import { useState } from 'react';
import { expect, test } from 'vitest';
import { openComponent } from '../../testing/open-component.tsx';
import { useConfirm } from './use-confirm.tsx';

function Danger() {
  const { confirm, dialog } = useConfirm();
  const [answer, setAnswer] = useState('none');
  const ask = async () => {
    const question = { title: 'Remove North?', text: 'Its jobs stay.', confirmLabel: 'Remove source', isDanger: true };
    setAnswer((await confirm(question)) ? 'yes' : 'no');
  };
  return (
    <>
      <button type="button" onClick={ask}>
        Remove
      </button>
      <p>answer: {answer}</p>
      {dialog}
    </>
  );
}

async function ask() {
  const opened = openComponent(Danger);
  await opened.person.click(await opened.page.findByRole('button', { name: 'Remove' }));
  await opened.page.findByRole('dialog', { name: 'Remove North?' });
  return opened;
}

test('goes on after a yes', async () => {
  const { page, person } = await ask();
  await person.click(page.getByRole('button', { name: 'Remove source' }));
  expect(await page.findByText('answer: yes')).toBeDefined();
});

test('does nothing after Cancel', async () => {
  const { page, person } = await ask();
  await person.click(page.getByRole('button', { name: 'Cancel' }));
  expect(await page.findByText('answer: no')).toBeDefined();
});

test('treats Escape as a no', async () => {
  const { page, person } = await ask();
  await person.keyboard('{Escape}');
  expect(await page.findByText('answer: no')).toBeDefined();
});
