import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { World } from '../world/world.ts';
import type { AsyncActions } from './async-actions.ts';
import type { Query } from './collection.ts';
import { notFound, VendorError } from './errors.ts';
import { resources } from './resources.ts';
import type { Tokens } from './tokens.ts';
import { loginUrlOf } from './users.ts';

/** Where the vendor's API begins. */
export const basePath = '/api/v3';

export interface RouteContext {
  world: World;
  nowMs: () => number;
  tokens: Tokens;
  actions: AsyncActions;
}

/** Adds the vendor's calls to a server: the token call, which needs no token, and the resources. */
export function addRoutes(app: FastifyInstance, { world, nowMs, tokens, actions }: RouteContext): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const path = pathBelowBase(request);
    if (path !== undefined && path !== '/token') requireAllowed(path, tokens.check(request.headers.authorization));
    done();
  });
  app.post(`${basePath}/token`, (request) => tokens.issue(fieldsOf(request.body)));
  for (const [path, resource] of Object.entries(resources)) {
    app.get(basePath + path, (request) => resource({ world, nowMs: nowMs(), query: queryOf(request) }));
  }
  app.get<{ Params: { uid: string } }>(`${basePath}/organizations/:uid/configuration/loginUrl`, (request) => {
    const data = loginUrlOf(world, request.params.uid);
    if (data === undefined) throw notFound(`Organization ${request.params.uid}`);
    return { data };
  });
  app.get<{ Params: { id: string } }>(`${basePath}/asyncActions/:id`, (request) => ({
    data: actions.status(request.params.id),
  }));
  app.get<{ Params: { id: string } }>(`${basePath}/asyncActions/:id/result`, (request, reply) =>
    reply.type('application/json; charset=utf-8').send(actions.result(request.params.id)),
  );
}

/** A token that the grant `as` made is that of a company's user, who reads nothing of the provider. */
function requireAllowed(path: string, asUser: string | null): void {
  if (asUser !== null && path !== '/users/me')
    throw new VendorError(403, 'security', 'The user has not sufficient rights for this.');
}

/** What a request for a resource would be answered at the instant the returned function is called, as text. */
export function laterAnswer(request: FastifyRequest, world: World, nowMs: () => number): (() => string) | undefined {
  const resource = resources[pathBelowBase(request) ?? ''];
  const query = queryOf(request);
  return resource && (() => JSON.stringify(resource({ world, nowMs: nowMs(), query })));
}

/** The path below the base without its query and a slash at its end; undefined for what is not below it. */
export function pathBelowBase(request: FastifyRequest): string | undefined {
  const [path = ''] = request.url.split('?', 1);
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length).replace(/\/$/, '') : undefined;
}

function queryOf(request: FastifyRequest): Query {
  return fieldsOf(request.query);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
