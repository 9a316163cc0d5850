import { expect, test } from 'vitest';
import * as schemaLibrary from 'zod/mini';
import { replacementOf } from './without-schemas.ts';

/** The replacement as a module, loaded as the browser would. */
async function load(): Promise<typeof schemaLibrary> {
  const code = replacementOf(Object.keys(schemaLibrary));
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

test('has everything that the library has', async () => {
  expect(Object.keys(await load())).toEqual(expect.arrayContaining(Object.keys(schemaLibrary)));
});

test('declares what the contract declares, to no effect', async () => {
  const z = await load();
  const row = z.object({ id: z.string().check(z.minLength(1)), kind: z.enum(['a', 'b']) });
  expect(() => z.strictObject({ ...z.extend(row, { more: z._default(z.boolean(), true) }).shape })).not.toThrow();
});

test('refuses to run a schema instead of accepting everything', async () => {
  const z = await load();
  expect(() => z.safeParse(z.string(), 7)).toThrow('The browser has no schemas');
  expect(() => z.parse(z.string(), 'a')).toThrow('The browser has no schemas');
});
