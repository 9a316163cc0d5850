import { describe, expect, test } from 'vitest';
import type { GraphMethod } from './graph-call.ts';
import { Router } from './router.ts';

const templates = [
  '/users',
  '/users/{user}',
  '/users/delta()',
  '/users/{user}/messages/{message}/$value',
  '/drives/{drive}/root',
  '/drives/{drive}/root:/{path*}',
  '/drives/{drive}/root:/{path*}:/content',
  '/drives/{drive}/items/{item}',
  '/drives/{drive}/items/{item}/delta()',
  "/drives/{drive}/items/{item}/delta(token='{token}')",
  '/drives/{drive}/items/{parent}:/{path*}:/content',
  '/sites/getAllSites()',
  '/sites/{host}:/{path*}',
  '/sites/{site}',
];
const router = new Router(templates.map((path) => ({ method: 'GET' as const, path, handle: () => ({ status: 200 }) })));

function find(path: string, method: GraphMethod = 'GET') {
  const match = router.match(method, path);
  return match && !Array.isArray(match) ? { path: match.route.path, params: match.params } : match;
}

describe('a path', () => {
  test.each([
    ['/users/7', '/users/{user}', { user: '7' }],
    ["/users('a%40b')", '/users/{user}', { user: 'a@b' }],
    ['/users/delta', '/users/delta()', {}],
    ['/users/microsoft.graph.delta()', '/users/delta()', {}],
    ['/USERS/7/Messages/x%2Fy%3D/$value', '/users/{user}/messages/{message}/$value', { user: '7', message: 'x/y=' }],
    ['/drives/d/root', '/drives/{drive}/root', { drive: 'd' }],
    ['/drives/d/root:/a/b%20c.txt', '/drives/{drive}/root:/{path*}', { drive: 'd', path: 'a/b c.txt' }],
    ['/drives/d/root:/a/b.txt:', '/drives/{drive}/root:/{path*}', { drive: 'd', path: 'a/b.txt' }],
    ['/drives/d/root:/a/b.txt:/content', '/drives/{drive}/root:/{path*}:/content', { drive: 'd', path: 'a/b.txt' }],
    [
      '/drives/d/items/01AB:/n%23.txt:/content',
      '/drives/{drive}/items/{parent}:/{path*}:/content',
      { drive: 'd', parent: '01AB', path: 'n#.txt' },
    ],
    [
      "/drives/d/items/i/delta(token='latest')",
      "/drives/{drive}/items/{item}/delta(token='{token}')",
      { drive: 'd', item: 'i', token: 'latest' },
    ],
    ['/sites/getAllSites', '/sites/getAllSites()', {}],
    ['/sites/contoso.example,1,2', '/sites/{site}', { site: 'contoso.example,1,2' }],
    ['/sites/contoso.example:/sites/hr', '/sites/{host}:/{path*}', { host: 'contoso.example', path: 'sites/hr' }],
  ])('%s is %s', (path, template, params) => {
    expect(find(path)).toEqual({ path: template, params });
  });

  test('that is unknown differs from one with the wrong method', () => {
    expect(find('/planets')).toBeUndefined();
    expect(find('/users/7', 'DELETE')).toEqual(['GET']);
  });
});

test('two routes of one template are a mistake that shows at once', () => {
  const route = { method: 'GET' as const, path: '/users', handle: () => ({ status: 200 }) };
  expect(() => new Router([route, route])).toThrow('two routes for GET /users');
});
