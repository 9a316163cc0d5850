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
import { conflict, notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { announce } from '../foundation/outbox/domain-events.ts';
import { newId } from '../foundation/secrets.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { connectionSubject, connectionSwitchedOff } from './connection-events.ts';
import type { ConnectionServices } from './connection-services.ts';
import { sealSettings } from './connection-settings.ts';
import {
  type CompanyJoin,
  findConnection,
  insertConnection,
  type ListedConnection,
  listConnections,
  lockConnection,
  recordHealth,
  removeConnection,
  type StoredConnection,
  updateConnection,
} from './connections.ts';
import { editedNow, requireEditedSettings, requireNewSettings, testGiven } from './edited-settings.ts';
import { isManagedHere } from './managed-ports.ts';
import { shownField } from './shown-field.ts';
import { healthOf, testStored } from './test-connection.ts';

/** What the calls need beside opening a connection. */
export interface CallServices extends ConnectionServices {
  companyOf: CompanyJoin;
}

/** The calls about the outside systems of all ports. */
export function connectionCalls(parts: CallServices): Route[] {
  return [listKinds(parts), list(parts), test(parts), check(parts), create(parts), edit(parts), remove];
}

function listKinds(parts: ConnectionServices): Route {
  return answer(listConnectorKinds, async (context) => {
    wholeProvider(context);
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

function list(parts: CallServices): Route {
  return answer(listConnectionsCall, async (context) => {
    const found = await listConnections(context.database, parts.companyOf, wholeProvider(context));
    return { data: found.map((connection) => labelled(parts, connection)) };
  });
}

function test(parts: ConnectionServices): Route {
  return answer(testConnection, async (context, { body }) => {
    const { connectionId, ...given } = body;
    const providerId = wholeProvider(context);
    const stored = connectionId === undefined ? null : await requireConnection(context, providerId, connectionId);
    return { data: await context.outside((gone) => testGiven(parts, given, stored, gone)) };
  });
}

function check(parts: ConnectionServices): Route {
  return answer(checkConnection, async (context, { params }) => {
    const stored = await requireConnection(context, wholeProvider(context), params.id);
    const data = await context.outside((gone) => testStored(parts, stored, gone));
    const health = healthOf(data);
    await change(context, targetOf(stored), async (connection) => {
      await recordHealth(connection, stored, health, context.now());
      return { result: null, after: { state: health.state } };
    });
    return { data };
  });
}

function create(parts: CallServices): Route {
  return answer(createConnection, async (context, { body }) => {
    const { settings: _, ...fields } = body;
    const key = { providerId: wholeProvider(context), id: newId() };
    requireManagedHere(body.port);
    const { manifest, settings, outcome } = await context.outside((gone) =>
      requireNewSettings(parts, body, 'connection', gone),
    );
    const sealed = sealSettings(parts.secrets, key, manifest.settings, settings);
    const stored = { ...key, ...fields, ...sealed };
    await change(context, targetOf(stored), async (connection) => {
      await insertConnection(connection, stored, context.now());
      await recordHealth(connection, stored, healthOf(outcome), context.now());
      return { result: null, after: shownOf(stored) };
    });
    return reply(parts, context, stored);
  });
}

function edit(parts: CallServices): Route {
  return answer(editConnection, async (context, { params, body }) => {
    const stored = await requireConnection(context, wholeProvider(context), params.id);
    requireManagedHere(stored.port);
    const { settings: given, ...fields } = body;
    const settings = await context.outside((gone) => requireEditedSettings(parts, stored, given, 'connection', gone));
    const { areNew } = settings;
    // Its alarm ended when it was switched off, so that one that still fails has to be found again.
    const isSwitchedOn = fields.isEnabled && !stored.isEnabled;
    const tested = settings.outcome === null && isSwitchedOn;
    const outcome = tested ? await context.outside((gone) => testStored(parts, stored, gone)) : settings.outcome;
    await change(context, targetOf(stored), async (connection) => {
      const before = await lockConnection(connection, stored);
      if (before === null) return null;
      const after = { ...before, ...fields, ...editedNow(parts, before, settings, 'connection') };
      await updateConnection(connection, after);
      if (outcome !== null) await recordHealth(connection, after, healthOf(outcome), context.now());
      if (!after.isEnabled) await announce(connection, connectionSwitchedOff, after, {});
      return { result: null, before: shownOf(before), after: { ...shownOf(after), areSettingsNew: areNew } };
    });
    return reply(parts, context, stored);
  });
}

const remove: Route = answer(deleteConnection, async (context, { params }) => {
  const stored = await requireConnection(context, wholeProvider(context), params.id);
  requireManagedHere(stored.port);
  await change(context, targetOf(stored), async (connection) => {
    const locked = await lockConnection(connection, stored);
    if (locked === null) return null;
    await removeConnection(connection, locked, context.now());
    await announce(connection, connectionSubject.removed, locked, {});
    return { result: null, before: shownOf(locked) };
  });
  return {};
});

function requireManagedHere(port: string): void {
  if (!isManagedHere(port))
    throw conflict('Connections of this kind have a screen of their own. Connect and change them there.');
}

async function requireConnection(context: SignedInContext, providerId: number, id: string): Promise<StoredConnection> {
  const stored = await findConnection(context.database, providerId, id);
  if (stored === null) throw notFound('connection');
  return stored;
}

async function reply(parts: CallServices, context: SignedInContext, { providerId, id }: StoredConnection) {
  const [found] = await listConnections(context.database, parts.companyOf, providerId, id);
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
