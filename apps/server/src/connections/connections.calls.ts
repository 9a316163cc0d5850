import type { Manifest, Testable } from '@keepwatch/connectors/base/manifest';
import {
  type Connection,
  type ConnectorKind,
  checkConnection,
  createConnection,
  deleteConnection,
  editConnection,
  listConnections as listConnectionsCall,
  listConnectorKinds,
  testConnection,
} from '@keepwatch/contract/connections/connections';
import { change } from '../audit/change.ts';
import { conflict, forbidden, invalid, notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { announce } from '../foundation/outbox/domain-events.ts';
import { newId } from '../foundation/secrets.ts';
import { completeSettings } from './complete-settings.ts';
import { connectionSubject, connectionSwitchedOff } from './connection-events.ts';
import type { ConnectionServices } from './connection-services.ts';
import { openSettings, sealSettings, settingsForAddress } from './connection-settings.ts';
import {
  findConnection,
  type ListedConnection,
  listConnections,
  recordHealth,
  removeConnection,
  type StoredConnection,
  storeConnection,
} from './connections.ts';
import { isManagedHere } from './managed-ports.ts';
import { shownField } from './shown-field.ts';
import { healthOf, requireWorking, testSettings, testStored } from './test-connection.ts';

/** The calls about the outside systems of all ports. */
export function connectionCalls(parts: ConnectionServices): Route[] {
  return [listKinds(parts), list(parts), test(parts), check(parts), create(parts), edit(parts), remove];
}

/** A connection belongs to the whole provider, so users who are limited to some companies cannot manage it. */
function providerOf({ scope }: SignedInContext): number {
  if (scope.companyIds !== null) throw forbidden();
  return scope.providerId;
}

function listKinds(parts: ConnectionServices): Route {
  return answer(listConnectorKinds, async (context) => {
    providerOf(context);
    const { connectors } = parts;
    const kinds = connectors.ports.flatMap((port) => connectors.kindsOf(port).map(({ kind }) => ({ port, kind })));
    const data = kinds.map(async ({ port, kind }): Promise<ConnectorKind> => {
      const { label, settings } = await connectors.load(port, kind);
      const purpose = connectors.purposeOf(port);
      return { port, purpose, kind, label, settings: settings.map(shownField), isManagedHere: isManagedHere(port) };
    });
    return { data: await Promise.all(data) };
  });
}

function list(parts: ConnectionServices): Route {
  return answer(listConnectionsCall, async (context) => {
    const found = await listConnections(context.database, providerOf(context));
    return { data: found.map((connection) => labelled(parts, connection)) };
  });
}

function test(parts: ConnectionServices): Route {
  return answer(testConnection, async (context, { body }) => {
    const providerId = providerOf(context);
    const manifest = await manifestOf(parts, body);
    const { connectionId } = body;
    const stored = connectionId === undefined ? null : await requireConnection(context, providerId, connectionId);
    const isSameKind = stored?.port === body.port && stored.kind === body.kind;
    const secrets = isSameKind ? settingsForAddress(parts.secrets, stored, manifest.settings, body.settings) : null;
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    return { data: await testSettings(parts, manifest, settings) };
  });
}

function check(parts: ConnectionServices): Route {
  return answer(checkConnection, async (context, { params }) => {
    const stored = await requireConnection(context, providerOf(context), params.id);
    const data = await testStored(parts, stored);
    const health = healthOf(data);
    await change(context, targetOf(stored), async (connection) => {
      await recordHealth(connection, stored, health, context.now());
      return { result: null, after: { state: health.state } };
    });
    return { data };
  });
}

function create(parts: ConnectionServices): Route {
  return answer(createConnection, async (context, { body }) => {
    const providerId = providerOf(context);
    const manifest = await manifestOf(parts, body);
    requireManagedHere(body.port);
    const settings = completeSettings(manifest.settings, body.settings, null);
    const outcome = await requireWorking(parts, manifest, settings, 'connection');
    const key = { providerId, id: newId() };
    const { port, kind, name, isEnabled } = body;
    const sealed = sealSettings(parts.secrets, key, manifest.settings, settings);
    const stored = { ...key, port, kind, name, isEnabled, ...sealed };
    await change(context, targetOf(stored), async (connection) => {
      await storeConnection(connection, stored, context.now());
      await recordHealth(connection, stored, healthOf(outcome), context.now());
      return { result: null, after: shownOf(stored) };
    });
    return reply(parts, context, stored);
  });
}

function edit(parts: ConnectionServices): Route {
  return answer(editConnection, async (context, { params, body }) => {
    const stored = await requireConnection(context, providerOf(context), params.id);
    requireManagedHere(stored.port);
    const manifest = await parts.connectors.load(stored.port, stored.kind);
    const before = openSettings(parts.secrets, stored);
    const secrets = settingsForAddress(parts.secrets, stored, manifest.settings, body.settings);
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    const areSettingsNew = manifest.settings.some(({ name }) => settings[name] !== (before[name] ?? ''));
    // What no longer answers can still be renamed or switched off.
    const outcome = areSettingsNew ? await requireWorking(parts, manifest, settings, 'connection') : null;
    const sealed = sealSettings(parts.secrets, stored, manifest.settings, settings);
    const edited = { ...stored, name: body.name, isEnabled: body.isEnabled, ...sealed };
    await change(context, targetOf(stored), async (connection) => {
      await storeConnection(connection, edited, context.now());
      if (outcome !== null) await recordHealth(connection, edited, healthOf(outcome), context.now());
      if (!edited.isEnabled) await announce(connection, connectionSwitchedOff, stored, {});
      return { result: null, before: shownOf(stored), after: { ...shownOf(edited), areSettingsNew } };
    });
    return reply(parts, context, edited);
  });
}

const remove: Route = answer(deleteConnection, async (context, { params }) => {
  const stored = await requireConnection(context, providerOf(context), params.id);
  requireManagedHere(stored.port);
  await change(context, targetOf(stored), async (connection) => {
    await removeConnection(connection, stored, context.now());
    await announce(connection, connectionSubject.removed, stored, {});
    return { result: null, before: shownOf(stored) };
  });
  return {};
});

function manifestOf(
  { connectors }: ConnectionServices,
  { port, kind }: { port: string; kind: string },
): Promise<Manifest<Testable>> {
  if (!connectors.ports.includes(port))
    throw invalid([{ path: 'body.port', message: `must be one of ${connectors.ports.join(', ')}` }]);
  const kinds = connectors.kindsOf(port).map((known) => known.kind);
  if (!kinds.includes(kind)) throw invalid([{ path: 'body.kind', message: `must be one of ${kinds.join(', ')}` }]);
  return connectors.load(port, kind);
}

function requireManagedHere(port: string): void {
  if (!isManagedHere(port))
    throw conflict('Connections of this kind have a screen of their own. Connect and change them there.');
}

async function requireConnection(context: SignedInContext, providerId: number, id: string): Promise<StoredConnection> {
  const stored = await findConnection(context.database, providerId, id);
  if (stored === null) throw notFound('connection');
  return stored;
}

async function reply(parts: ConnectionServices, context: SignedInContext, { providerId, id }: StoredConnection) {
  const [found] = await listConnections(context.database, providerId, id);
  if (found === undefined) throw notFound('connection');
  return { data: labelled(parts, found) };
}

function labelled({ connectors }: ConnectionServices, { id, ...shown }: ListedConnection): Connection {
  const { port, kind } = shown;
  const words = { purpose: connectors.purposeOf(port), label: connectors.labelOf(port, kind) };
  return { _id: id, ...words, ...shown, isManagedHere: isManagedHere(port) };
}

function targetOf({ id }: StoredConnection) {
  return { kind: 'connection', id };
}

/** Returns the fields of a connection that the audit log may contain. */
function shownOf({ port, kind, name, isEnabled, settings }: StoredConnection) {
  return { port, kind, name, isEnabled, settings };
}
