import type { BackupSourceManifest } from '@keepwatch/connectors/ports/manifest';
import {
  createSource,
  deleteSource,
  editSource,
  listSourceKinds,
  listSources as listSourcesCall,
  testSource,
} from '@keepwatch/contract/monitoring/sources';
import { record } from '../../audit/audit.ts';
import { transaction } from '../../foundation/database.ts';
import { forbidden, invalid, notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { newId } from '../../foundation/secrets.ts';
import type { SourceServices } from './intake-services.ts';
import { completeSettings, openSettings, type SourceSettings, sealSettings } from './source-settings.ts';
import {
  findKeptSource,
  findSource,
  insertSource,
  type KeptSource,
  listSources,
  removeSource,
  updateSource,
} from './sources.ts';
import { testSettings } from './test-source.ts';
import { sendWantedSync, wantSync } from './wanted-syncs.ts';

export interface SourceCallParts extends SourceServices {
  /** The kinds of sources that there are. */
  sourceKinds: readonly string[];
}

/** The calls about connected consoles. */
export function sourceCalls(parts: SourceCallParts): Route[] {
  return [listKinds(parts), list(parts), test(parts), create(parts), edit(parts), remove()];
}

/** A console is the whole provider's: somebody who is limited to some companies does not connect one. */
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
    const kept = body.sourceId === undefined ? null : await keptSource(context, providerId, body.sourceId);
    const secrets = kept?.kind === body.kind ? secretsFor(parts, kept, manifest, body.settings) : null;
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
    await transaction(context.database, async (connection) => {
      await insertSource(connection, source, context.now());
      if (isEnabled) await wantSync(connection, providerId, id);
      await record(connection, context, { action: 'source.create', target: targetOf(source), after: shownOf(source) });
    });
    if (isEnabled) await sendWantedSync(context.queue, id);
    return reply(parts, context, providerId, id);
  });
}

function edit(parts: SourceCallParts): Route {
  return answer(editSource, async (context, { params, body }) => {
    const providerId = providerOf(context);
    const kept = await keptSource(context, providerId, params.id);
    const manifest = await parts.loadSource(kept.kind);
    const before = openSettings(parts.secrets, kept);
    const secrets = secretsFor(parts, kept, manifest, body.settings);
    const settings = completeSettings(manifest.settings, body.settings, secrets);
    const areSettingsNew = manifest.settings.some(({ name }) => settings[name] !== (before[name] ?? ''));
    const isSyncWanted = areSettingsNew && body.isEnabled;
    // A console that is away can still be renamed, or switched off.
    if (areSettingsNew) await requireWorking(parts, manifest, settings);
    const { name, isEnabled, syncIntervalMinutes } = body;
    const sealed = sealSettings(parts.secrets, kept, manifest.settings, settings);
    const source = { ...kept, name, isEnabled, syncIntervalMinutes, ...sealed };
    await transaction(context.database, async (connection) => {
      await updateSource(connection, source);
      if (isSyncWanted) await wantSync(connection, providerId, kept.id);
      const change = { before: shownOf(kept), after: { ...shownOf(source), areSettingsNew } };
      await record(connection, context, { action: 'source.edit', target: targetOf(source), ...change });
    });
    if (isSyncWanted) await sendWantedSync(context.queue, kept.id);
    return reply(parts, context, providerId, kept.id);
  });
}

function remove(): Route {
  return answer(deleteSource, async (context, { params }) => {
    const providerId = providerOf(context);
    const kept = await keptSource(context, providerId, params.id);
    await transaction(context.database, async (connection) => {
      await removeSource(connection, providerId, kept.id, context.now());
      await record(connection, context, { action: 'source.delete', target: targetOf(kept), before: shownOf(kept) });
    });
    return {};
  });
}

function manifestOf(parts: SourceCallParts, kind: string): Promise<BackupSourceManifest> {
  if (!parts.sourceKinds.includes(kind))
    throw invalid([{ path: 'body.kind', message: `must be one of ${parts.sourceKinds.join(', ')}` }]);
  return parts.loadSource(kind);
}

async function keptSource(context: SignedInContext, providerId: number, id: string): Promise<KeptSource> {
  const kept = await findKeptSource(context.database, providerId, id);
  if (kept === null) throw notFound('source');
  return kept;
}

/**
 * The kept secrets, to fill in those that are not given again. Only for the address that they were given for: otherwise whoever
 * may change the address could have them sent to a machine of their own.
 */
function secretsFor(
  parts: SourceCallParts,
  kept: KeptSource,
  manifest: BackupSourceManifest,
  given: SourceSettings,
): SourceSettings | null {
  const addresses = manifest.settings.filter((field) => field.kind === 'url');
  const isSameAddress = addresses.every(({ name }) => (given[name] ?? '') === (kept.settings[name] ?? ''));
  return isSameAddress ? openSettings(parts.secrets, kept) : null;
}

/** Settings that do not work are not saved. */
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

/** What of a source may stand in the audit log. */
function shownOf({ kind, name, isEnabled, syncIntervalMinutes, settings }: KeptSource) {
  return { kind, name, isEnabled, syncIntervalMinutes, settings };
}
