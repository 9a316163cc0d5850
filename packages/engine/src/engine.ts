/**
 * The engine as a program uses it: the command line and the portal, and nothing else outside this package.
 *
 * - **Connect** a tenant with `loadSetUp`: a person signs in, and applications are made or checked.
 * - **Open** a store, a repository in it and its part of the catalog; a connection to a tenant. All may stay open for as long as the program lives.
 * - **Work** with `backUp`, `indexTexts`, `restore`, `planRestore`, `restoreAttachment`, `exportItems`, `verify`, `proveRestorable`, `prune`, `erase`, `extendLocks`, `rebuild`. Each takes a `Work`: a signal that ends it
 *   within a second, and a function that is called with every `EngineEvent`. Each returns its result, and throws `EngineError`s, which a person can read.
 * - **Look** at what is stored: `RepositoryCatalog` has restore points, `findObjects`, `browse`, `versionsOf`, `search`, `usage` and `growth`; here are `preview`, `previewThread`,
 *   `openPicture`, `listParts`, `openPart`, `compareRevisions`, `downloadZip`. A scope to restore or export is an object at a revision with some items; `scopeOfVersion` makes one of an earlier version.
 *
 * What a function needs is loaded when it is called first: a help text does not wait for Graph, PostgreSQL and S3.
 */
import type { BackupResult } from './backup/backup.ts';
import type { ComparedItem } from './browse/compare.ts';
import type { ItemScope } from './browse/item-scope.ts';
import type { ThreadOrder } from './browse/thread.ts';
import type { CatalogWaits, ChangesQuery, Page } from './catalog/catalog.ts';
import type { CatalogSessions, PostgresCatalog } from './catalog/postgres/open-catalog.ts';
import type { ErasureOrder, PruneOrder } from './engine/look-after.ts';
import type { AttachmentOrder, AttachmentResult } from './engine/restore-attachment.ts';
import type { RestoreOrder } from './engine/restore-request.ts';
import type { BackupOrder } from './engine/run-backup.ts';
import type { ExportOrder } from './engine/run-export.ts';
import type { ProofOrder } from './engine/run-proof.ts';
import type { Stored, Work } from './engine/work.ts';
import type { ErasurePlan, ErasureResult } from './erase/erase.ts';
import type { ErasureSubject } from './erase/erasure-subject.ts';
import type { ExportResult } from './export/export-parts.ts';
import type { ItemPart, OpenPart } from './export/item-parts.ts';
import type { OpenPicture } from './export/preview/picture.ts';
import type { ItemPreview, PreviewOrder } from './export/preview/preview.ts';
import type { ThreadMessage } from './export/preview/thread-preview.ts';
import type { ZipDownload } from './export/zip-download.ts';
import type { OnEvent } from './model/engine-event.ts';
import type { ItemVersion } from './model/items.ts';
import type { ProofResult } from './proof/proof.ts';
import type { PruneResult } from './prune/prune-plan.ts';
import type { ReadableCatalog } from './rebuild/catch-up-to-read.ts';
import type { RebuildResult } from './rebuild/rebuild.ts';
import type { RepositoryOptions } from './repository/open-repository.ts';
import type { Repository } from './repository/repository.ts';
import type { RestoreJournals } from './restore/restore-journals.ts';
import type { PlannedItem, RestorePlan } from './restore/restore-plan.ts';
import type { RestoreResult } from './restore/restore-result.ts';
import type { GraphConnection, GraphOptions } from './source/graph/connection.ts';
import type { GraphSourceOptions } from './source/graph/reader.ts';
import type { Send } from './source/graph/requests/transport.ts';
import type { Source } from './source/source.ts';
import type { ObjectStore } from './store/object-store.ts';
import type { StoreOptions } from './store/open-store.ts';
import type { LockReview } from './verify/review-locks.ts';
import type { VerifyOptions, VerifyResult } from './verify/verify.ts';

export type { BackupResult } from './backup/backup.ts';
export type { RepositoryCatalog } from './catalog/catalog.ts';
export type { PostgresCatalog } from './catalog/postgres/open-catalog.ts';
export type { Stored, Work } from './engine/work.ts';
export { EngineError, type EngineErrorCode, type Remedy } from './model/engine-error.ts';
export type { EngineEvent, ObjectCounts, OnEvent, Phase } from './model/engine-event.ts';
export type { ObjectKind } from './model/protected-object.ts';
export { skipText } from './model/skip-texts.ts';
export { BETWEEN_WORDS } from './model/without-object.ts';
export type { Repository } from './repository/repository.ts';
export type { ListedRestoreJournals, UnfinishedRestore } from './restore/restore-journals.ts';
export { CLOUDS, type Cloud } from './source/graph/cloud.ts';
export type { GraphConnection, GraphOptions } from './source/graph/connection.ts';
export { SignInError } from './source/graph/identity.ts';
export type { ApplicationCredentials } from './source/graph/sign-in/application.ts';
export type { ClientCertificate } from './source/graph/sign-in/client-assertion.ts';
export type { SelectedItem, Selection } from './source/source.ts';
export type { ObjectStore } from './store/object-store.ts';

/** Opens a store: a folder, or `s3://bucket/prefix`. @param environment with the credentials of S3 */
export async function openStore(
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
  options?: StoreOptions,
): Promise<ObjectStore> {
  return (await import('./store/open-store.ts')).openStore(place, environment, options);
}

/** Refuses a place that has anything in it: a repository needs one of its own. @throws `bad-request` that names what is there */
export async function requireEmptyPlace(place: string, store: ObjectStore): Promise<void> {
  const [{ requireEmptyPlace: require }, { parseStorePlace }] = await Promise.all([
    import('./repository/open-repository.ts'),
    import('./store/store-place.ts'),
  ]);
  return require(parseStorePlace(place), store);
}

/** Opens the repository in a store. @throws `no-repository`, `newer-repository`, `wrong-password`, `damaged` */
export async function openRepository(
  store: ObjectStore,
  password: string,
  options?: RepositoryOptions,
): Promise<Repository> {
  return (await import('./repository/open-repository.ts')).openRepository(store, password, options);
}

/** Makes a repository in an empty store. @throws `repository-exists`, `bad-request` for a password that is too short */
export async function createRepository(
  store: ObjectStore,
  password: string,
  options?: RepositoryOptions,
): Promise<Repository> {
  const repository = await (await import('./repository/open-repository.ts')).createRepository(store, password, options);
  await repository.ensureReserve();
  return repository;
}

/**
 * Connects to a tenant. Nothing is sent before it is used.
 * @param onEvent called with long waits that Microsoft asks for outside of a piece of work; each piece of work hears of its own
 */
export async function connect(options: GraphOptions, onEvent: OnEvent): Promise<GraphConnection> {
  return (await import('./source/graph/connection.ts')).openGraphConnection(options).reportingTo(onEvent);
}

/** What connects a tenant: the sign-in of an administrator, and applications with their certificates and permissions. */
export function loadSetUp(): Promise<typeof import('./source/graph/set-up/set-up.ts')> {
  return import('./source/graph/set-up/set-up.ts');
}

/** Carries the requests of several connections of one process. @param ownHosts as of `openTransport` */
export async function openSend(ownHosts: readonly string[]): Promise<Send> {
  return (await import('./source/graph/requests/transport.ts')).openTransport(ownHosts);
}

/** What is backed up of a tenant: the source of `backUp`. */
export async function openSource(connection: GraphConnection, options?: GraphSourceOptions): Promise<Source> {
  return (await import('./source/graph/graph-source.ts')).openGraphSource(connection, options);
}

/** Opens the catalog in a PostgreSQL: see `openCatalog`. Of one piece of work, `catalog.repository(id, waits)` reports and ends its waits. */
export async function openCatalog(
  database: string,
  waits?: CatalogWaits,
  sessions?: CatalogSessions,
): Promise<PostgresCatalog> {
  return (await import('./catalog/postgres/open-catalog.ts')).openCatalog(database, waits, sessions);
}

/** Waits in the catalog that are reported as events, and end with the signal. */
export async function waitsOf(work: Work): Promise<CatalogWaits> {
  return (await import('./engine/waits.ts')).catalogWaits(work);
}

/** Reads what changed in the objects of a job, and makes a restore point. The source stays open. */
export async function backUp(stored: Stored, source: Source, order: BackupOrder, work: Work): Promise<BackupResult> {
  return (await import('./engine/run-backup.ts')).runBackup(stored, source, order, work);
}

/** Makes the texts of new items searchable: after a backup, and after a rebuild. @returns how many items */
export async function indexTexts(stored: Stored, work: Work): Promise<number> {
  return (await import('./engine/index-texts.ts')).indexTexts(stored, work);
}

/** Follows what others backed up or pruned with another catalog: before a restore point is chosen to be restored or exported. */
export async function catchUp(stored: Stored, work: Work): Promise<ReadableCatalog> {
  return (await import('./engine/look-after.ts')).catchUp(stored, work);
}

/** Puts items back where they were, or elsewhere. Begun again after it was broken off, it goes on by its journal. */
export async function restore(
  stored: Stored,
  connection: GraphConnection,
  order: RestoreOrder & { journals: RestoreJournals },
  work: Work,
): Promise<RestoreResult> {
  return (await import('./engine/run-restore.ts')).runRestore(stored, connection, order, work);
}

/** Says what a restore would do, and does nothing. @param onItem called with what would become of each item */
export async function planRestore(
  stored: Stored,
  connection: GraphConnection,
  order: RestoreOrder,
  work: Work,
  onItem?: (item: PlannedItem) => void,
): Promise<RestorePlan> {
  return (await import('./engine/run-restore.ts')).runPlan(stored, connection, order, work, onItem);
}

/** Puts one attachment into a mailbox, as a draft that carries nothing else. */
export async function restoreAttachment(
  stored: Stored,
  connection: GraphConnection,
  order: AttachmentOrder,
  work: Work,
): Promise<AttachmentResult> {
  return (await import('./engine/restore-attachment.ts')).restoreAttachment(stored, connection, order, work);
}

/** Writes items to a file: PST, MSG, EML, ZIP, CSV or JSON. */
export async function exportItems(stored: Stored, order: ExportOrder, work: Work): Promise<ExportResult> {
  return (await import('./engine/run-export.ts')).runExport(stored, order, work);
}

/** Checks that what was backed up can be brought back, and names every item that cannot. */
export async function verify(
  stored: Stored,
  order: Pick<VerifyOptions, 'depth' | 'noLock'>,
  work: Work,
): Promise<VerifyResult> {
  return (await import('./engine/look-after.ts')).runVerify(stored, order, work);
}

/**
 * Restores a random sample of a job's newest restore point to memory, and compares it with what the tenant has where that did not change since.
 * @param stored opened for this alone: chunks that others read a moment ago would come from memory
 * @returns `null` where the job has no restore point
 */
export async function proveRestorable(stored: Stored, order: ProofOrder, work: Work): Promise<ProofResult | null> {
  return (await import('./engine/run-proof.ts')).runProof(stored, order, work);
}

/** Takes away what is older than retention asks for. */
export async function prune(stored: Stored, order: PruneOrder, work: Work): Promise<PruneResult> {
  return (await import('./engine/look-after.ts')).runPrune(stored, order, work);
}

/** Says what an erasure would take, for the user who is to confirm it. @throws `not-found` where nothing of the subject is stored */
export async function planErasure(stored: Stored, subject: ErasureSubject, signal: AbortSignal): Promise<ErasurePlan> {
  return (await import('./engine/look-after.ts')).runErasurePlan(stored, subject, signal);
}

/**
 * Erases an object, a user or an organization from all restore points, at once and for good; the caller has it confirmed before. The result says what
 * is locked, and until when: a prune after that deletes it. `catalog.listErasures()` is the record for the audit.
 */
export async function erase(stored: Stored, order: ErasureOrder, work: Work): Promise<ErasureResult> {
  return (await import('./engine/look-after.ts')).runErasure(stored, order, work);
}

/** Locks what is in use against deletion for longer, as each backup does once a day. @returns `null` for a store without such locks */
export async function extendLocks(stored: Stored, work: Work): Promise<LockReview | null> {
  return (await import('./engine/look-after.ts')).runLockExtension(stored, work);
}

/** Makes a scope to restore or export of an earlier version of an item. @throws `not-found` */
export async function scopeOfVersion(
  stored: Stored,
  object: string,
  item: string,
  revision: number,
): Promise<ItemScope> {
  return (await import('./browse/version-scope.ts')).scopeOfVersion(stored.catalog, object, item, revision);
}

/** Compares two states of an object, or of one folder with all below it: what appeared, changed and vanished, a page at a time. */
export async function compareRevisions(
  { catalog }: Stored,
  query: ChangesQuery,
  signal: AbortSignal,
): Promise<Page<ComparedItem>> {
  return (await import('./browse/compare.ts')).compareRevisions(catalog, query, signal);
}

/** Prepares a ZIP of any object whose length is known before its first byte, to be sent at once and without a file on the way. */
export async function downloadZip(stored: Stored, scope: ItemScope, signal: AbortSignal): Promise<ZipDownload> {
  return (await import('./export/zip-download.ts')).zipDownload({ ...stored, signal }, scope);
}

/** Reads an item, or one part of it, for a preview: HTML that can do nothing, text, facts, pictures, attachments with their sizes. */
export async function preview(stored: Stored, order: PreviewOrder, signal: AbortSignal): Promise<ItemPreview> {
  return (await import('./export/preview/item-preview.ts')).previewOf({ ...stored, signal }, order);
}

/** Reads a page of the conversation around a post, a reply or a message of a chat, for a preview. */
export async function previewThread(
  stored: Stored,
  order: ThreadOrder,
  signal: AbortSignal,
): Promise<Page<ThreadMessage>> {
  return (await import('./export/preview/thread-preview.ts')).threadPreview({ ...stored, signal }, order);
}

/** Reads a part of an item that is a picture which can do nothing. @throws `bad-request` for what is none */
export async function openPicture(
  stored: Stored,
  item: ItemVersion,
  part: string,
  signal: AbortSignal,
): Promise<OpenPicture> {
  return (await import('./export/preview/picture.ts')).openPicture({ ...stored, signal }, item, part);
}

/** Lists what of an item can be downloaded alone: its bytes, earlier versions of a file, attachments. */
export async function listParts(stored: Stored, item: ItemVersion, signal: AbortSignal): Promise<ItemPart[]> {
  return (await import('./export/item-parts.ts')).listParts({ ...stored, signal }, item);
}

/** Opens one of them. @throws `not-found` */
export async function openPart(stored: Stored, item: ItemVersion, id: string, signal: AbortSignal): Promise<OpenPart> {
  return (await import('./export/item-parts.ts')).openPart({ ...stored, signal }, item, id);
}

/** What of an object is shown, restored or exported, and what becomes of it. */
export type { ComparedItem } from './browse/compare.ts';
export type { ItemScope } from './browse/item-scope.ts';
export type {
  CatalogObject,
  ItemChange,
  ListedObject,
  ListedRestorePoint,
  SearchHit,
  SearchPage,
  SearchQuery,
} from './catalog/catalog.ts';
export type { ItemPart, OpenPart } from './export/item-parts.ts';
export type { Fact, ItemPreview } from './export/preview/preview.ts';
export type { ItemKind, ItemVersion } from './model/items.ts';
export type { RestoreJournals } from './restore/restore-journals.ts';
export type { RestoreOptions } from './restore/restore-options.ts';
export type { PlannedItem, RestorePlan } from './restore/restore-plan.ts';
export type { RestoreResult } from './restore/restore-result.ts';

/** Makes the catalog again from the repository alone. Texts are indexed after it. */
export async function rebuild(stored: Stored, order: { acceptLoss?: boolean }, work: Work): Promise<RebuildResult> {
  return (await import('./engine/look-after.ts')).runRebuild(stored, order, work);
}
