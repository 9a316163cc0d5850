import { getCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import { exportJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { CallFailed, request } from '@keepwatch/contract/wire/client';
import { expect, test } from 'vitest';
import { createAnswers } from './answers.ts';
import { buildCompany, buildId } from './builders.ts';

const transportTo = (answers: ReturnType<typeof createAnswers>) => {
  return { fetch: answers.fetch, origin: '', token: () => null };
};

test('gives the handler what was asked, parsed by the contract', async () => {
  const answers = createAnswers().on(listCompanies, ({ query }) => {
    return { success: true as const, count: query.limit, data: [] };
  });
  const reply = await request(transportTo(answers), listCompanies, { query: { search: 'a & b', isActive: true } });
  expect(reply.count).toBe(10);
  expect(answers.asked(listCompanies)).toEqual([
    { params: undefined, query: { limit: 10, offset: 0, search: 'a & b', isActive: true }, body: undefined },
  ]);
});

test('distinguishes calls with the same beginning, and reads parameters', async () => {
  const answers = createAnswers()
    .on(listCompanies, { success: true, count: 0, data: [] })
    .on(getCompany, ({ params }) => ({ success: true as const, data: buildCompany(Number(params.id.slice(-1))) }));
  const reply = await request(transportTo(answers), getCompany, { params: { id: buildId(7) } });
  expect(reply.data.name).toBe('Company 7');
});

test('notes a request that was not set up', async () => {
  const answers = createAnswers();
  await expect(request(transportTo(answers), listCompanies, {})).rejects.toBeInstanceOf(CallFailed);
  expect(answers.unexpected).toEqual(['GET /api/companies']);
});

test('notes a request that the contract refuses', async () => {
  const answers = createAnswers().on(getCompany, { success: true, data: buildCompany(1) });
  await expect(request(transportTo(answers), getCompany, { params: { id: 'no-id' } })).rejects.toThrow('must be an id');
  expect(answers.unexpected).toHaveLength(1);
});

test('refuses as the server would', async () => {
  const answers = createAnswers().refuse(listCompanies, 403, { code: 'FORBIDDEN', message: 'You may not.' });
  const failure = await request(transportTo(answers), listCompanies, {}).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 403, code: 'FORBIDDEN', message: 'You may not.' });
  expect(answers.unexpected).toEqual([]);
});

test('gives a CSV as it is', async () => {
  const answers = createAnswers().on(exportJobExecutions, 'a;b\n1;2\n');
  const body = { source: 'JOBS', format: 'csv' } as const;
  expect(await request(transportTo(answers), exportJobExecutions, { body })).toBe('a;b\n1;2\n');
});
