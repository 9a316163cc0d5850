import { declareCall } from '@keepwatch/contract/wire/call';
import { emailAddress, id, text } from '@keepwatch/contract/wire/fields';
import { done } from '@keepwatch/contract/wire/replies';
import { act, fireEvent, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createAnswers } from '../../testing/answers.ts';
import { openComponent } from '../../testing/open-component.tsx';
import { useApi } from '../portal.tsx';
import { ChoiceField, FlagField, PickerField } from './choice-fields.tsx';
import { Form, SubmitButton } from './form.tsx';
import { FormDialog } from './form-dialog.tsx';
import { NumberField, PasswordField, TextAreaField, TextField } from './text-fields.tsx';
import { useCallForm } from './use-call-form.ts';

const createThing = declareCall({
  method: 'POST',
  path: '/things',
  access: 'signed-in',
  body: z.strictObject({
    name: text(20).check(z.minLength(3)),
    email: z.optional(emailAddress),
    note: z.optional(text(100)),
    keepDays: z.int().check(z.minimum(1), z.maximum(30)),
    mode: z.enum(['daily', 'weekly']),
    isOn: z.boolean(),
    ownerId: id,
    password: z.string().check(z.minLength(1), z.maxLength(50)),
  }),
  audit: null,
  ...done,
  failure: 'The thing could not be created.',
  summary: 'For tests.',
});

const OWNER = '00000000-0000-0000-0000-000000000001';
const MODES = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
] as const;

function ThingForm() {
  const api = useApi();
  const [isDone, setDone] = useState(false);
  const form = useCallForm(createThing, {
    initial: {
      name: '',
      email: '',
      note: '',
      keepDays: '7',
      mode: 'daily',
      isOn: true,
      ownerId: null,
      password: '',
    },
    secrets: ['password'],
    send: (body) => api.request(createThing, { body }),
    onDone: () => setDone(true),
  });
  return (
    <Form
      form={form}
      actions={
        <SubmitButton form={form} saysWhatIsMissing>
          Create
        </SubmitButton>
      }
    >
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="email" label="E-mail" type="email" />
      <TextAreaField form={form} name="note" label="Note" />
      <NumberField form={form} name="keepDays" label="Keep" unit="days" />
      <ChoiceField form={form} name="mode" label="Mode" choices={MODES} />
      <FlagField form={form} name="isOn" label="On" />
      <PickerField form={form} name="ownerId">
        {({ value, onChange }) => (
          <button type="button" onClick={() => onChange(OWNER)}>
            Owner: {value ?? 'none'}
          </button>
        )}
      </PickerField>
      <PasswordField form={form} name="password" label="Password" />
      {isDone && <p>created</p>}
    </Form>
  );
}

async function openForm(answers = createAnswers().on(createThing, { success: true })) {
  const opened = openComponent(ThingForm, { answers });
  const name = await opened.page.findByLabelText(/^Name/);
  const create = opened.page.getByRole('button', { name: 'Create' });
  const fill = async () => {
    await opened.person.type(name, ' North ');
    await opened.person.click(opened.page.getByRole('button', { name: /^Owner/ }));
    await opened.person.type(opened.page.getByLabelText(/^Password/), ' secret ');
  };
  return { ...opened, answers, name, create, fill };
}

test('sends numbers as numbers, texts without the spaces around them, secrets as typed, and nothing that is empty', async () => {
  const { page, person, answers, create, fill } = await openForm();
  await fill();
  await person.selectOptions(page.getByLabelText(/^Mode/), 'weekly');
  await person.click(page.getByLabelText('On'));
  await person.click(create);
  await page.findByText('created');
  expect(answers.asked(createThing).map(({ body }) => body)).toEqual([
    { name: 'North', keepDays: 7, mode: 'weekly', isOn: false, ownerId: OWNER, password: ' secret ' },
  ]);
});

test('reads from the contract what is required and how long it may be', async () => {
  const { page, name } = await openForm();
  expect(name).toHaveProperty('required', true);
  expect(name).toHaveProperty('maxLength', 20);
  expect(page.getByLabelText('E-mail')).toHaveProperty('required', false);
  expect(page.getByLabelText('Note')).toHaveProperty('maxLength', 100);
});

test('says what is missing beside each field, sends nothing, and goes to the first of them', async () => {
  const { page, person, answers, name, create } = await openForm();
  await person.click(create);
  expect(page.getAllByText('Required')).toHaveLength(3);
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(name.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent).toContain('Required');
  expect(answers.asked(createThing)).toEqual([]);
});

test('says of a field that is left what the contract refuses, until it is changed', async () => {
  const { page, person, name } = await openForm();
  await person.type(page.getByLabelText('E-mail'), 'north');
  await person.type(name, 'No');
  page.getByText('must be an e-mail address');
  await person.tab();
  page.getByText('Enter at least 3 characters.');
  await person.type(name, 'rth');
  expect(page.queryByText('Enter at least 3 characters.')).toBeNull();
});

test('says the bounds of a number while it is typed', async () => {
  const { page, person } = await openForm();
  await person.clear(page.getByLabelText(/^Keep/));
  await person.type(page.getByLabelText(/^Keep/), '31');
  page.getByText('Enter 1 to 30 days.');
});

test('says a refusal beside its field, and the rest as one message', async () => {
  const answers = createAnswers().refuse(createThing, 422, {
    code: 'INVALID_INPUT',
    message: 'Not valid.',
    errors: [{ path: 'body.name', message: 'is in use' }],
  });
  const { page, person, name, create, fill } = await openForm(answers);
  await fill();
  await person.click(create);
  await page.findByText('is in use');
  expect(page.queryByRole('alert')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(name));
  answers.refuse(createThing, 409, { code: 'CONFLICT', message: 'There are too many things.' });
  await person.click(create);
  expect((await page.findByRole('alert')).textContent).toBe('There are too many things.');
  expect(name).toHaveProperty('value', ' North ');
});

test('is not sent a second time while it is on its way', async () => {
  const gate = Promise.withResolvers<void>();
  const answers = createAnswers().on(createThing, async () => {
    await gate.promise;
    return { success: true as const };
  });
  const { page, name, fill } = await openForm(answers);
  await fill();
  const element = name.closest('form');
  if (element === null) throw new Error('The field is in no form.');
  fireEvent.submit(element);
  fireEvent.submit(element);
  await act(async () => gate.resolve());
  await page.findByText('created');
  expect(answers.asked(createThing)).toHaveLength(1);
});

test('asks before another screen is opened, and not once it is sent', async () => {
  const { page, person, router, address, create, fill } = await openForm();
  await fill();
  act(() => void router.navigate({ href: '/monitoring/forbidden' }));
  await page.findByRole('dialog', { name: 'Discard what you entered?' });
  await person.click(page.getByRole('button', { name: 'Cancel' }));
  expect(address()).toBe('/monitoring/test');
  await person.click(create);
  await page.findByText('created');
  await act(() => router.navigate({ href: '/monitoring/forbidden' }));
  expect(address()).toBe('/monitoring/forbidden');
});

const renameThing = declareCall({
  method: 'PUT',
  path: '/things',
  access: 'signed-in',
  body: z.strictObject({ name: text(20).check(z.minLength(1)) }),
  audit: null,
  ...done,
  failure: 'The thing could not be renamed.',
  summary: 'For tests.',
});

function Renaming() {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && <RenameDialog send={(body) => api.request(renameThing, { body })} onClose={() => setOpen(false)} />}
    </>
  );
}

function RenameDialog({ send, onClose }: { send: (body: { name: string }) => Promise<unknown>; onClose: () => void }) {
  const form = useCallForm(renameThing, { initial: { name: '' }, send, onDone: onClose });
  return (
    <FormDialog form={form} title="Rename it" action="Save" onClose={onClose}>
      <TextField isFocused form={form} name="name" label="Name" />
    </FormDialog>
  );
}

async function openRenaming() {
  const answers = createAnswers().on(renameThing, { success: true });
  const opened = openComponent(Renaming, { answers });
  await opened.person.click(await opened.page.findByRole('button', { name: 'Rename' }));
  const name = await opened.page.findByLabelText(/^Name/);
  return { ...opened, answers, name };
}

test('sends a dialog with Enter and closes it', async () => {
  const { page, person, answers, name } = await openRenaming();
  expect(page.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await person.type(name, 'South{Enter}');
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(answers.asked(renameThing).map(({ body }) => body)).toEqual([{ name: 'South' }]);
});

test('closes an untouched dialog at once, and asks once something was typed', async () => {
  const { page, person, name } = await openRenaming();
  await person.type(name, 'South{Escape}');
  await page.findByRole('dialog', { name: 'Discard what you entered?' });
  await person.keyboard('{Escape}');
  await waitFor(() => expect(page.getAllByRole('dialog')).toHaveLength(1));
  expect(name).toHaveProperty('value', 'South');
  await person.clear(name);
  await person.type(name, '{Escape}');
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
});
