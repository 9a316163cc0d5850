import { declareCall } from '@keepwatch/contract/wire/call';
import { CallFailed } from '@keepwatch/contract/wire/client';
import { text } from '@keepwatch/contract/wire/fields';
import { done } from '@keepwatch/contract/wire/replies';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createAnswers } from '../../testing/answers.ts';
import { buildUser } from '../../testing/builders.ts';
import { openComponent } from '../../testing/open-component.tsx';
import { Fact, Facts } from '../facts/facts.tsx';
import { ChoiceField } from '../form/choice-fields.tsx';
import { PasswordField, TextField } from '../form/text-fields.tsx';
import { useApi } from '../portal.tsx';
import { useWizardForm } from './use-wizard-form.ts';
import { Wizard } from './wizard.tsx';
import type { WizardStep } from './wizard-steps.ts';

const createJob = declareCall({
  method: 'POST',
  path: '/jobs',
  access: 'signed-in',
  body: z.strictObject({
    name: text(20).check(z.minLength(1)),
    mode: z.enum(['all', 'selected']),
    items: z.optional(text(100)),
    password: z.string().check(z.minLength(1)),
  }),
  audit: null,
  ...done,
  failure: 'The job could not be created.',
  summary: 'For tests.',
});

interface Job {
  name: string;
  mode: string;
  items: string;
  password: string;
}

const MODES = [
  { value: 'all', label: 'Everything' },
  { value: 'selected', label: 'Selected items' },
];

const STEPS: readonly WizardStep<Job>[] = [
  {
    key: 'basics',
    title: 'Basics',
    fields: ['name', 'mode'],
    check: async ({ name }) => {
      if (name === 'Existing')
        throw new CallFailed(409, { success: false, code: 'CONFLICT', message: 'There is a job of this name.' });
    },
    content: (form) => (
      <>
        <TextField form={form} name="name" label="Name" />
        <ChoiceField form={form} name="mode" label="What" choices={MODES} />
      </>
    ),
  },
  {
    key: 'items',
    title: 'Items',
    fields: ['items'],
    isSkipped: ({ mode }) => mode === 'all',
    content: (form) => <TextField form={form} name="items" label="Items" />,
  },
  {
    key: 'account',
    title: 'Account',
    fields: ['password'],
    content: (form) => <PasswordField form={form} name="password" label="Password" />,
  },
];

function JobWizard() {
  const api = useApi();
  const form = useWizardForm(createJob, {
    initial: { name: '', mode: 'all', items: '', password: '' },
    secrets: ['password'],
    toBody: ({ name, mode, items, password }: Job) => ({
      name,
      mode: mode === 'all' ? ('all' as const) : ('selected' as const),
      ...(items === '' ? {} : { items }),
      password,
    }),
    send: (body) => api.request(createJob, { body }),
  });
  return (
    <Wizard
      form={form}
      steps={STEPS}
      action="Create job"
      summary={({ name }) => (
        <Facts>
          <Fact term="Name">{name}</Fact>
        </Facts>
      )}
    />
  );
}

async function openWizard(query = '') {
  const answers = createAnswers().on(createJob, { success: true });
  const opened = openComponent(JobWizard, { answers, query });
  const { page, person } = opened;
  await page.findByRole('button', { name: /^Basics/ });
  const next = () => person.click(page.getByRole('button', { name: 'Next' }));
  return { ...opened, answers, next };
}

test('goes forward only past steps that are right, and skips what is not needed', async () => {
  const { page, person, next, address } = await openWizard();
  await next();
  await page.findByText('Required');
  page.getByText('Step 1 of 3');
  await person.type(page.getByLabelText(/^Name/), 'Nightly{Enter}');
  await page.findByLabelText(/^Password/);
  expect(address()).toBe('/monitoring/test?step=account');
  await person.click(page.getByRole('button', { name: 'Back' }));
  await person.selectOptions(await page.findByLabelText(/^What/), 'selected');
  page.getByText('Step 1 of 4');
  await next();
  await page.findByLabelText('Items');
});

test('marks the step that its check refuses, says why, and stays there', async () => {
  const { page, person, next } = await openWizard();
  await person.type(page.getByLabelText(/^Name/), 'Existing');
  await next();
  expect((await page.findByRole('alert')).textContent).toBe('There is a job of this name.');
  page.getByRole('button', { name: 'Basics (has a problem)' });
  page.getByLabelText(/^Name/);
});

test('shows everything once more, sends it, and begins empty the next time', async () => {
  const { page, person, next, answers } = await openWizard();
  await person.type(page.getByLabelText(/^Name/), 'Nightly');
  await next();
  await person.type(await page.findByLabelText(/^Password/), 'secret');
  await next();
  await page.findByText('Nightly');
  await person.click(page.getByRole('button', { name: 'Create job' }));
  await waitFor(() => expect(answers.asked(createJob)).toHaveLength(1));
  expect(answers.asked(createJob)[0]?.body).toEqual({ name: 'Nightly', mode: 'all', password: 'secret' });
  await waitFor(() => expect(JSON.stringify(sessionStorage)).not.toContain('Nightly'));
});

test('leads back to the step of a field that the server refuses, with everything as entered', async () => {
  const { page, person, next, answers } = await openWizard();
  answers.refuse(createJob, 422, {
    code: 'INVALID_INPUT',
    message: 'Not valid.',
    errors: [{ path: 'body.name', message: 'is in use' }],
  });
  await person.type(page.getByLabelText(/^Name/), 'Nightly');
  await next();
  await person.type(await page.findByLabelText(/^Password/), 'secret');
  await next();
  await person.click(await page.findByRole('button', { name: 'Create job' }));
  await page.findByText('is in use');
  expect(page.getByLabelText(/^Name/)).toHaveProperty('value', 'Nightly');
  await person.type(page.getByLabelText(/^Name/), ' 2');
  await person.click(page.getByRole('button', { name: 'Account' }));
  expect(await page.findByLabelText(/^Password/)).toHaveProperty('value', 'secret');
});

test('uses only what is stored of its own fields, and in their form', async () => {
  const values = { name: {}, mode: 'selected', items: 3, gone: 'of an earlier version' };
  sessionStorage.setItem(`wizard:${buildUser().id}:/monitoring/test`, JSON.stringify({ values, visited: [] }));
  const { page, person } = await openWizard();
  expect(page.getByLabelText(/^Name/)).toHaveProperty('value', '');
  expect(page.getByLabelText(/^What/)).toHaveProperty('value', 'selected');
  await person.type(page.getByLabelText(/^Name/), 'Nightly');
  await waitFor(() => expect(JSON.stringify(sessionStorage)).toContain('Nightly'));
  expect(JSON.stringify(sessionStorage)).not.toContain('gone');
});

test('has what was entered after a reload, without its secrets, and cannot be entered in the middle', async () => {
  const { page, person, next } = await openWizard();
  await person.type(page.getByLabelText(/^Name/), 'Nightly');
  await next();
  await person.type(await page.findByLabelText(/^Password/), 'secret');
  await waitFor(() => expect(JSON.stringify(sessionStorage)).toContain('account'));
  expect(JSON.stringify(sessionStorage)).not.toContain('secret');
  page.unmount();
  const again = await openWizard('?step=account');
  expect(await again.page.findByLabelText(/^Password/)).toHaveProperty('value', '');
  await again.person.click(again.page.getByRole('button', { name: 'Back' }));
  expect(await again.page.findByLabelText(/^Name/)).toHaveProperty('value', 'Nightly');
  sessionStorage.clear();
  again.page.unmount();
  const fresh = await openWizard('?step=account');
  fresh.page.getByText('Step 1 of 3');
});
