import type { BackupSourceManifest } from '@keepwatch/connectors/ports/manifest';
import {
  createSource,
  deleteSource,
  editSource,
  listSourceKinds,
  listSources as listSourcesCall,
  testSource,
} from '@keepwatch/contract/sources/sources';
import { change } from '../audit/change.ts';
import { forbidden, invalid, notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { newId } from '../foundation/secrets.ts';
import type { SourceServices } from './source-services.ts';
import { completeSettings, openSettings, type SourceSettings, sealSettings } from './source-settings.ts';
import {
  findSettingsOf,
  findSource,
  insertSource,
  type KeptSource,
  listSources,
  removeSource,
  updateSource,
} from './sources.ts';
import { requestSync } from './sync-job.ts';
import { testSettings } from './test-source.ts';

export interface SourceCallParts extends SourceServices {
  /** The available kinds of sources. */
  sourceKinds: readonly string[];
}

/** The calls about connected consoles. */
export function sourceCalls(parts: SourceCallParts): Route[] {
  return [listKinds(parts), list(parts), test(parts), create(parts), edit(parts), remove()];
}

/** A console belongs to the whole provider, so users who are limited to some companies cannot manage it. */
function providerOf({ scope }: SignedInContext): number {
  if (scope.companyIds !== null) throw forbidden();
  return scope.providerId;
}

function listKinds(parts: SourceCallParts): Route {
  return answer(listSourceKinds, async (context) => {
    providerOf(context);
    const manifests = await Promise.all(parts.sourceKinds.map((kind) => parts.loadSource(kind)));
    return { data: manifests.map(({ kind, label, settings }) => ({ kind, label, settings: [...settings] })) };
  });
}

function list(parts: SourceCallParts): Route {
  return answer(listSourcesCall, async (context) => {
    const providerId = providerOf(context);
    return { data: await listSources(context.database, providerId, parts.loadSource, context.now()) };
  });
}

function test(parts: SourceCallParts): Route {
  return answer(testSource, async (context, { body }) => {
    const providerId = providerOf(context);
    const manifest = await manifestOf(parts, body.kind);
    const stored = body.sourceId === undefined ? null : await requireSource(context, providerId, body.sourceId);
    const secrets = stored?.kind === body.kind ? secretsFor(parts, stored, manifest, body.settings) : null;
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    return { data: await testSettings(parts, manifest, settings) };
  });
}

function create(parts: SourceCallParts): Route {
  return answer(createSource, async (context, { body }) => {
    const providerId = providerOf(context);
    const manifest = await manifestOf(parts, body.kind);
    const settings = completeSettings(manifest.settings, body.settings, null);
    await requireWorking(parts, manifest, settings);
    const id = newId();
    const { name, isEnabled, syncIntervalMinutes } = body;
    const sealed = sealSettings(parts.secrets, { providerId, id }, manifest.settings, settings);
    const source = { providerId, id, kind: body.kind, name, isEnabled, syncIntervalMinutes, ...sealed };
    await change(context, targetOf(source), async (connection) => {
      await insertSource(connection, source, context.now());
      if (isEnabled) await requestSync(context.queue, connection, id);
      return { result: null, after: shownOf(source) };
    });
    return reply(parts, context, providerId, id);
  });
}

function edit(parts: SourceCallParts): Route {
  return answer(editSource, async (context, { params, body }) => {
    const providerId = providerOf(context);
    const stored = await requireSource(context, providerId, params.id);
    const manifest = await parts.loadSource(stored.kind);
    const before = openSettings(parts.secrets, stored);
    const secrets = secretsFor(parts, stored, manifest, body.settings);
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    const areSettingsNew = manifest.settings.some(({ name }) => settings[name] !== (before[name] ?? ''));
    const isSyncRequested = areSettingsNew && body.isEnabled;
    // An unreachable console can still be renamed or switched off.
    if (areSettingsNew) await requireWorking(parts, manifest, settings);
    const { name, isEnabled, syncIntervalMinutes } = body;
    const sealed = sealSettings(parts.secrets, stored, manifest.settings, settings);
    const source = { ...stored, name, isEnabled, syncIntervalMinutes, ...sealed };
    await change(context, targetOf(source), async (connection) => {
      await updateSource(connection, source);
      if (isSyncRequested) await requestSync(context.queue, connection, stored.id);
      return { result: null, before: shownOf(stored), after: { ...shownOf(source), areSettingsNew } };
    });
    return reply(parts, context, providerId, stored.id);
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

function manifestOf(parts: SourceCallParts, kind: string): Promise<BackupSourceManifest> {
  if (!parts.sourceKinds.includes(kind))
    throw invalid([{ path: 'body.kind', message: `must be one of ${parts.sourceKinds.join(', ')}` }]);
  return parts.loadSource(kind);
}

async function requireSource(context: SignedInContext, providerId: number, id: string): Promise<KeptSource> {
  const stored = await findSettingsOf(context.database, providerId, id);
  if (stored === null) throw notFound('source');
  return stored;
}

/**
 * Returns the stored secrets that complete the given settings. Only for the address that they were entered for: otherwise a user
 * who may change the address could send them to another machine.
 */
function secretsFor(
  parts: SourceCallParts,
  stored: KeptSource,
  manifest: BackupSourceManifest,
  given: SourceSettings,
): SourceSettings | null {
  const addresses = manifest.settings.filter((field) => field.kind === 'url');
  const isSameAddress = addresses.every(({ name }) => (given[name] ?? '') === (stored.settings[name] ?? ''));
  return isSameAddress ? openSettings(parts.secrets, stored) : null;
}

/** Throws unless the settings work, so that others are never saved. */
async function requireWorking(
  parts: SourceCallParts,
  manifest: BackupSourceManifest,
  settings: SourceSettings,
): Promise<void> {
  const { outcome, message } = await testSettings(parts, manifest, settings);
  if (outcome !== 'works') throw invalid([{ path: 'body.settings', message }], 'The source was not saved.');
}

async function reply(parts: SourceCallParts, context: SignedInContext, providerId: number, id: string) {
  const data = await findSource(context.database, providerId, id, parts.loadSource, context.now());
  if (data === null) throw notFound('source');
  return { data };
}

function targetOf({ id }: KeptSource) {
  return { kind: 'source', id };
}

/** Returns the fields of a source that the audit log may contain. */
function shownOf({ kind, name, isEnabled, syncIntervalMinutes, settings }: KeptSource) {
  return { kind, name, isEnabled, syncIntervalMinutes, settings };
}
