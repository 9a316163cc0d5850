import { describe, expect, test } from 'vitest';
import { at, listAt } from '../testing/console-client.ts';
import { buildWorld } from '../world/world.ts';
import type { Query } from './collection.ts';
import { VendorError } from './errors.ts';
import { resources } from './resources.ts';

const nowMs = Date.parse('2026-11-21T09:00:00Z');
const world = buildWorld(1, 12);
const single = ['/about', '/users/me', '/infrastructure/jobSessionHeatmap'];
const collections = Object.keys(resources).filter((path) => !single.includes(path));

function ask(path: string, query: Query = {}): unknown {
  const resource = resources[path];
  if (!resource) throw new Error(`The sandbox has no ${path}`);
  return resource({ world, nowMs, query });
}

/** Every entity, in pages of a size. */
function paged(path: string, limit: number): unknown[] {
  const entities: unknown[] = [];
  for (;;) {
    const page = listAt(ask(path, { limit: String(limit), offset: String(entities.length) }), 'data');
    if (page.length === 0) return entities;
    entities.push(...page);
  }
}

describe.each(collections)('%s', (path) => {
  test('has the same entities in the same order whatever the size of its pages', () => {
    const whole = paged(path, 500);
    expect(whole.length).toBeGreaterThan(0);
    expect(paged(path, 37)).toEqual(whole);
    expect(at(ask(path, { limit: '1' }), 'meta', 'pagingInfo', 'total')).toBe(whole.length);
  });

  test('can be filtered by each of its plain properties, and finds that entity again', () => {
    const [entity] = paged(path, 500);
    for (const [property, value] of Object.entries(Object(entity))) {
      if (typeof value === 'object') continue;
      const filter = JSON.stringify([{ property, operation: 'equals', value }]);
      expect(listAt(ask(path, { filter, limit: '500' }), 'data')).toContainEqual(entity);
    }
  });

  test('sorted upwards and downwards has the same entities, none lost', () => {
    const [property = ''] = Object.keys(Object(paged(path, 1)[0]));
    const sorted = ['ascending', 'descending'].map((direction) =>
      listAt(ask(path, { sort: JSON.stringify([{ property, direction }]), limit: '500' }), 'data'),
    );
    const total = at(ask(path), 'meta', 'pagingInfo', 'total');
    for (const entities of sorted) {
      expect(new Set(entities.map((entity) => JSON.stringify(entity))).size).toBe(Math.min(Number(total), 500));
    }
  });

  test('select leaves the chosen property alone, and an unknown one nothing', () => {
    const [property = ''] = Object.keys(Object(paged(path, 1)[0]));
    for (const entity of listAt(ask(path, { select: property }), 'data')) {
      expect(Object.keys(Object(entity))).toEqual([property]);
    }
    expect(listAt(ask(path, { select: 'nothing', limit: '1' }), 'data')).toEqual([{}]);
  });

  test('expand of what it does not embed changes nothing', () => {
    expect(ask(path, { expand: 'Nothing' })).toEqual(ask(path));
  });

  test('refuses a page of more than 500, with the name of the parameter', () => {
    expect(() => ask(path, { limit: '501' })).toThrow(VendorError);
  });
});

describe('expand', () => {
  test.each([
    ['/organizations/companies', 'Organization', 'organization'],
    ['/infrastructure/backupServers/jobs/agentJobs', 'BackupServerJob', 'backupServerJob'],
    ['/infrastructure/backupServers/jobs/fileShareJobs', 'BackupServerJob', 'backupServerJob'],
    ['/infrastructure/vb365Servers/organizations', 'Vb365Server', 'vb365Server'],
  ])('of %s embeds %s in every entity, and changes nothing else', (path, expand, embedded) => {
    const plain = listAt(ask(path), 'data');
    for (const [index, entity] of listAt(ask(path, { expand }), 'data').entries()) {
      expect(at(entity, '_embedded', embedded)).toMatchObject({});
      const { _embedded: _gone, ...rest } = Object(entity);
      expect(plain[index]).toMatchObject(rest);
    }
  });
});

test('licence usage can be asked for one company, and of a stranger there is none', () => {
  const [company] = world.companies;
  const usage = '/licensing/usage/organizations';
  const own = listAt(ask(usage, { organizationUid: company?.uid }), 'data');
  expect(own.map((entity) => at(entity, 'organizationUid'))).toEqual([company?.uid]);
  expect(listAt(ask(usage, { organizationUid: 'unknown' }), 'data')).toEqual([]);
});

test.each(single.slice(0, 2))('%s is one thing and no list, the same every time', (path) => {
  expect(at(ask(path), 'data')).toEqual(at(ask(path), 'data'));
  expect(Array.isArray(at(ask(path), 'data'))).toBe(false);
});
