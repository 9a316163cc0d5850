import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { missingPermissions, PERMISSIONS } from './permissions.ts';

const DOCUMENT = readFileSync(new URL('../../../../../docs/engine.md', import.meta.url), 'utf8');

describe('the permissions of the engine', () => {
  test('are listed in its document, all of them and no others', () => {
    const [table = ''] = /\| for \| permissions \|[\s\S]*?\n\n/.exec(DOCUMENT) ?? [];
    const named = [...table.matchAll(/`([A-Z][\w-]*(?:\.\w+)+)`/g)].flatMap(([, name]) => name ?? []);
    expect([...new Set(named)].sort()).toEqual(PERMISSIONS.map(({ name }) => name).sort());
  });

  test('are each named once, and covered by nothing that is not larger', () => {
    const names = PERMISSIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, coveredBy } of PERMISSIONS) expect(coveredBy).not.toContain(name);
  });

  test('are missing only where neither they nor a larger one was given', () => {
    const all = missingPermissions(new Set());
    expect(all).toHaveLength(PERMISSIONS.length);
    const missing = missingPermissions(new Set(['Sites.FullControl.All', 'Mail.ReadWrite'])).map(({ name }) => name);
    for (const name of ['Sites.Read.All', 'Sites.ReadWrite.All', 'Sites.Manage.All', 'Mail.Read'])
      expect(missing).not.toContain(name);
    expect(missing).toContain('Teamwork.Migrate.All');
  });
});
