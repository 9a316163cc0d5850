import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';
import { expect, test } from 'vitest';
import { EngineError } from '../../model/engine-error.ts';
import { explainError } from './explain-error.ts';

const systemError = (code: string, message = '') => Object.assign(new Error(message), { code });
const postgresError = (code: string) => Object.assign(new Error('said so'), { code, severity: 'ERROR' });

test('ends as wrong usage, as stopped or as a failure, by what was thrown', () => {
  expect(explainError(new EngineError('bad-request', 'x')).exitCode).toBe(2);
  expect(explainError(new EngineError('stopped', 'x')).exitCode).toBe(130);
  expect(explainError(new EngineError('locked', 'x', { isRetryable: true }))).toEqual({
    message: 'x',
    code: 'locked',
    isRetryable: true,
    exitCode: 1,
  });
  expect(explainError(new EmbeddedDatabaseError('in use')).message).toBe('in use');
});

test('says in one line what is wrong with the database, even where Node says nothing', () => {
  const nothing = new AggregateError([systemError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9')], '');
  expect(explainError(nothing).message).toMatch(/^The catalog's database cannot be reached: connect ECONNREFUSED 127/);
  expect(explainError(postgresError('57P01')).message).toMatch(/\(57P01\)\. It was shut down/);
  expect(explainError(postgresError('28P01')).message).toMatch(/refuses the user or the password/);
  expect(explainError(postgresError('53100')).message).toMatch(/no room left/);
  expect(explainError(postgresError('57014')).message).toMatch(/time limit/);
  expect(explainError(postgresError('40P01')).message).toMatch(/waited for each other.*Start again/);
  for (const said of [
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ])
    expect(explainError(new Error(said)).code).toBe('database');
});

test('gives a stack for an unexpected error, since that is to be reported', () => {
  // A wrong statement is a fault of the program, not of the database.
  for (const error of [new TypeError('x is undefined'), postgresError('42703'), systemError('EISDIR', 'x')])
    expect(explainError(error)).toMatchObject({
      code: 'unexpected',
      exitCode: 1,
      message: expect.stringMatching(/Please report it.*\n.*\n\s+at /),
    });
  expect(explainError('text').message).toContain('text');
});
