import type { Manifest } from '@keepwatch/connectors/base/manifest';
import type { BackupSource } from '@keepwatch/connectors/ports/backup-source';
import {
  createSource,
  deleteSource,
  editSource,
  listSourceKinds,
  listSources as listSourcesCall,
  testSource,
} from '@keepwatch/contract/sources/sources';
import { change } from '../audit/change.ts';
import { completeSettings } from '../connections/complete-settings.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import { openSettings, sealSettings, settingsForAddress } from '../connections/connection-settings.ts';
import { shownField } from '../connections/shown-field.ts';
import { requireWorking, testSettings } from '../connections/test-connection.ts';
import { forbidden, invalid, notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { newId } from '../foundation/secrets.ts';
import { type Console, findConsole, findSource, listSources, removeSource, storeConsole } from './sources.ts';
import { SOURCE_PORT } from './stored-source.ts';
import { requestSync } from './sync-job.ts';

/** The calls about connected consoles. */
export function sourceCalls(services: ConnectionServices): Route[] {
  return [listKinds(services), list(services), test(services), create(services), edit(services), remove()];
}

/** A console belongs to the whole provider, so users who are limited to some companies cannot manage it. */
function providerOf({ scope }: SignedInContext): number {
  if (scope.companyIds !== null) throw forbidden();
  return scope.providerId;
}

function listKinds(services: ConnectionServices): Route {
  return answer(listSourceKinds, async (context) => {
    providerOf(context);
    const kinds = services.connectors.kindsOf(SOURCE_PORT);
    const manifests = await Promise.all(kinds.map(({ kind }) => services.connectors.load(SOURCE_PORT, kind)));
    return {
      data: manifests.map(({ kind, label, settings }) => ({ kind, label, settings: settings.map(shownField) })),
    };
  });
}

function list(services: ConnectionServices): Route {
  return answer(listSourcesCall, async (context) => {
    const providerId = providerOf(context);
    return { data: await listSources(context.database, providerId, services.connectors, context.now()) };
  });
}

function test(services: ConnectionServices): Route {
  return answer(testSource, async (context, { body }) => {
    const providerId = providerOf(context);
    const manifest = await manifestOf(services, body.kind);
    const stored = body.sourceId === undefined ? null : await requireSource(context, providerId, body.sourceId);
    const secrets =
      stored?.kind === body.kind
        ? settingsForAddress(services.secrets, stored, manifest.settings, body.settings)
        : null;
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    return { data: await testSettings(services, manifest, settings) };
  });
}

function create(services: ConnectionServices): Route {
  return answer(createSource, async (context, { body }) => {
    const providerId = providerOf(context);
    const manifest = await manifestOf(services, body.kind);
    const settings = completeSettings(manifest.settings, body.settings, null);
    await requireWorking(services, manifest, settings, 'source');
    const id = newId();
    const { name, isEnabled, syncIntervalMinutes } = body;
    const sealed = sealSettings(services.secrets, { providerId, id }, manifest.settings, settings);
    const source = {
      providerId,
      id,
      port: SOURCE_PORT,
      kind: body.kind,
      name,
      isEnabled,
      syncIntervalMinutes,
      ...sealed,
    };
    await change(context, targetOf(source), async (connection) => {
      await storeConsole(connection, source, context.now());
      if (isEnabled) await requestSync(context.queue, connection, id);
      return { result: null, after: shownOf(source) };
    });
    return reply(services, context, providerId, id);
  });
}

function edit(services: ConnectionServices): Route {
  return answer(editSource, async (context, { params, body }) => {
    const providerId = providerOf(context);
    const stored = await requireSource(context, providerId, params.id);
    const manifest = await services.connectors.load(SOURCE_PORT, stored.kind);
    const before = openSettings(services.secrets, stored);
    const secrets = settingsForAddress(services.secrets, stored, manifest.settings, body.settings);
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    const areSettingsNew = manifest.settings.some(({ name }) => settings[name] !== (before[name] ?? ''));
    const isSyncRequested = areSettingsNew && body.isEnabled;
    // An unreachable console can still be renamed or switched off.
    if (areSettingsNew) await requireWorking(services, manifest, settings, 'source');
    const { name, isEnabled, syncIntervalMinutes } = body;
    const sealed = sealSettings(services.secrets, stored, manifest.settings, settings);
    const source = { ...stored, name, isEnabled, syncIntervalMinutes, ...sealed };
    await change(context, targetOf(source), async (connection) => {
      await storeConsole(connection, source, context.now());
      if (isSyncRequested) await requestSync(context.queue, connection, stored.id);
      return { result: null, before: shownOf(stored), after: { ...shownOf(source), areSettingsNew } };
    });
    return reply(services, context, providerId, stored.id);
  });
}

function remove(): Route {
  return answer(deleteSource, async (context, { params }) => {
    const providerId = providerOf(context);
    const stored = await requireSource(context, providerId, params.id);
    await change(context, targetOf(stored), async (connection) => {
      await removeSource(connection, providerId, stored.id, context.now());
      return { result: null, before: shownOf(stored) };
    });
    return {};
  });
}

function manifestOf({ connectors }: ConnectionServices, kind: string): Promise<Manifest<BackupSource>> {
  const kinds = connectors.kindsOf(SOURCE_PORT).map((known) => known.kind);
  if (!kinds.includes(kind)) throw invalid([{ path: 'body.kind', message: `must be one of ${kinds.join(', ')}` }]);
  return connectors.load(SOURCE_PORT, kind);
}

async function requireSource(context: SignedInContext, providerId: number, id: string): Promise<Console> {
  const stored = await findConsole(context.database, providerId, id);
  if (stored === null) throw notFound('source');
  return stored;
}

async function reply(services: ConnectionServices, context: SignedInContext, providerId: number, id: string) {
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
