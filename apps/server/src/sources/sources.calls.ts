import {
  createSource,
  deleteSource,
  editSource,
  listSourceKinds,
  listSources as listSourcesCall,
  testSource,
} from '@keepwatch/contract/sources/sources';
import { change } from '../audit/change.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import { sealSettings } from '../connections/connection-settings.ts';
import { editedNow, requireEditedSettings, requireNewSettings, testGiven } from '../connections/edited-settings.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
import { shownField } from '../connections/shown-field.ts';
import { notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { newId } from '../foundation/secrets.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import {
  type Console,
  findConsole,
  findSource,
  insertConsole,
  listSources,
  lockConsole,
  removeSource,
  updateConsole,
} from './sources.ts';
import { requestSync } from './sync-job.ts';

/** The calls about connected consoles. */
export function sourceCalls(services: ConnectionServices): Route[] {
  return [listKinds(services), list(services), test(services), create(services), edit(services), remove()];
}

function listKinds(services: ConnectionServices): Route {
  return answer(listSourceKinds, async (context) => {
    wholeProvider(context);
    const kinds = services.connectors.kindsOf(CONSOLE_PORT);
    const manifests = await Promise.all(kinds.map(({ kind }) => services.connectors.load(CONSOLE_PORT, kind)));
    return {
      data: manifests.map(({ kind, label, settings }) => ({ kind, label, settings: settings.map(shownField) })),
    };
  });
}

function list(services: ConnectionServices): Route {
  return answer(listSourcesCall, async (context) => {
    const providerId = wholeProvider(context);
    return { data: await listSources(context.database, providerId, services.connectors, context.now()) };
  });
}

function test(services: ConnectionServices): Route {
  return answer(testSource, async (context, { body }) => {
    const { sourceId, kind, settings } = body;
    const providerId = wholeProvider(context);
    const stored = sourceId === undefined ? null : await requireSource(context, providerId, sourceId);
    const ofPort = { port: CONSOLE_PORT, kind, settings };
    return { data: await context.outside((gone) => testGiven(services, ofPort, stored, gone)) };
  });
}

function create(services: ConnectionServices): Route {
  return answer(createSource, async (context, { body }) => {
    const { settings: given, ...fields } = body;
    const key = { providerId: wholeProvider(context), id: newId() };
    const ofPort = { port: CONSOLE_PORT, kind: body.kind };
    const { manifest, settings } = await context.outside((gone) =>
      requireNewSettings(services, { ...ofPort, settings: given }, 'source', gone),
    );
    const sealed = sealSettings(services.secrets, key, manifest.settings, settings);
    const source = { ...key, ...ofPort, ...fields, ...sealed };
    await change(context, targetOf(source), async (connection) => {
      await insertConsole(connection, source, context.now());
      if (source.isEnabled) await requestSync(context.queue, connection, source.id);
      return { result: null, after: shownOf(source) };
    });
    return reply(services, context, source);
  });
}

function edit(services: ConnectionServices): Route {
  return answer(editSource, async (context, { params, body }) => {
    const stored = await requireSource(context, wholeProvider(context), params.id);
    const { settings: given, ...fields } = body;
    const settings = await context.outside((gone) => requireEditedSettings(services, stored, given, 'source', gone));
    await change(context, targetOf(stored), async (connection) => {
      const before = await lockConsole(connection, stored);
      if (before === null) return null;
      const after = { ...before, ...fields, ...editedNow(services, before, settings, 'source') };
      await updateConsole(connection, after);
      if (settings.areNew && after.isEnabled) await requestSync(context.queue, connection, after.id);
      return { result: null, before: shownOf(before), after: { ...shownOf(after), areSettingsNew: settings.areNew } };
    });
    return reply(services, context, stored);
  });
}

function remove(): Route {
  return answer(deleteSource, async (context, { params }) => {
    const stored = await requireSource(context, wholeProvider(context), params.id);
    await change(context, targetOf(stored), async (connection) => {
      await lockExecutions(connection, stored.providerId);
      const locked = await lockConsole(connection, stored);
      if (locked === null) return null;
      await removeSource(connection, locked.providerId, locked.id, context.now());
      return { result: null, before: shownOf(locked) };
    });
    return {};
  });
}

async function requireSource(context: SignedInContext, providerId: number, id: string): Promise<Console> {
  const stored = await findConsole(context.database, providerId, id);
  if (stored === null) throw notFound('source');
  return stored;
}

async function reply(services: ConnectionServices, context: SignedInContext, { providerId, id }: Console) {
  const data = await findSource(context.database, providerId, id, services.connectors, context.now());
  if (data === null) throw notFound('source');
  return { data };
}

function targetOf({ id }: Console) {
  return { kind: 'source', id };
}

/** Returns the fields of a source that the audit log may contain. */
function shownOf({ kind, name, isEnabled, syncIntervalMinutes, settings }: Console) {
  return { kind, name, isEnabled, syncIntervalMinutes, settings };
}
