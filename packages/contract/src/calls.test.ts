import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { allows, ROLES } from './abilities.ts';
import { calls, callsOf } from './calls.ts';
import { listJobExecutions } from './executions/job-executions.ts';
import { listSources } from './sources/sources.ts';

const declared = Object.entries(calls);

describe('the contract', () => {
  it('declares more than 40 calls', () => {
    expect(declared.length).toBeGreaterThan(40);
  });

  it('refuses a second call of a name that exists', () => {
    const modules = [{ listJobs: listJobExecutions }, { listJobs: listSources }];
    expect(() => callsOf(modules)).toThrow('Two calls are named listJobs. Give one of them another name.');
  });

  it('refuses a second call of a method and path that exist', () => {
    const modules = [{ listSources }, { listConsoles: listSources }];
    expect(() => callsOf(modules)).toThrow(
      /^listSources and listConsoles are both GET .*sources\. A call is declared once\.$/,
    );
  });

  it.each(declared)('%s says what failed in words for a person, and accepts its path parameters', (_name, call) => {
    expect(call.failure).toMatch(/^[A-Z].{10,}/);
    expect(call.summary).toMatch(/\.$/);
    expect(/\{\w+\}/.test(call.path)).toBe(call.params !== undefined);
  });

  it.each(declared.filter(([, call]) => !['public', 'signed-in'].includes(String(call.access))))(
    '%s can be reached by some role and not by every role',
    (_name, call) => {
      const access = call.access as Exclude<typeof call.access, 'public' | 'signed-in'>;
      const reaching = ROLES.filter((role) => allows([role], access));
      expect(reaching.length).toBeGreaterThan(0);
      expect(reaching.length).toBeLessThan(ROLES.length);
    },
  );
});

/** Texts that no database stores: a NUL, half of a character. */
const UNSTORABLE = ['\u0000', 'a\u0000b', '\ud800', 'a\udc00'];
/** Never stored as it is: only its hash is. */
const HASHED = new Set(['body.password']);

/** Every text that a call accepts, by where it is. */
function textsOf(schema: z.core.$ZodType | undefined, path: string): { path: string; schema: z.core.$ZodType }[] {
  if (schema === undefined) return [];
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
    case 'optional':
    case 'nullable':
    case 'default':
      return textsOf(def.innerType, path);
    case 'array':
      return textsOf(def.element, path);
    case 'record':
      return [...textsOf(def.keyType, `${path} key`), ...textsOf(def.valueType, path)];
    case 'union':
      return def.options.flatMap((option) => textsOf(option, path));
    case 'pipe':
      // What comes in is a text, and the whole of it says which.
      return textsOf(def.in, path).map((text) => ({ ...text, schema }));
    case 'string':
      return [{ path, schema }];
    default:
      return [];
  }
}

describe('every text that a call accepts', () => {
  const texts = declared.flatMap(([name, { params, query, body }]) =>
    [...textsOf(params, 'params'), ...textsOf(query, 'query'), ...textsOf(body, 'body')].map((text) => ({
      name,
      ...text,
    })),
  );
  const stored = texts.filter(({ path }) => !HASHED.has(path));

  it.each(stored)('$name $path can be stored', ({ schema }) => {
    for (const text of UNSTORABLE) expect([text, z.safeParse(schema, text).success]).toEqual([text, false]);
  });

  it('is found', () => {
    expect(stored.length).toBeGreaterThan(80);
    expect(stored.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['query.domain', 'body.theme.sidebarColor', 'body.settings key']),
    );
  });
});

describe('abilities', () => {
  it('are granted if any of the roles has them', () => {
    expect(allows(['admin'], 'monitoring.daily-checks')).toBe(false);
    expect(allows(['admin', 'operator'], 'monitoring.daily-checks')).toBe(true);
    expect(allows(['admin'], ['monitoring.daily-checks', 'common.companies'])).toBe(true);
  });

  it('are not granted by an unknown role', () => {
    expect(allows(['root', '__proto__', ''], 'monitoring.daily-checks')).toBe(false);
  });
});
