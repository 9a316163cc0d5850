import { createM365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { type MadeRepository, type NewRepository, useCreateRepository } from './repositories.data.ts';
import { retentionOf } from './repository-words.ts';

/** A repository while it is filled in: of both kinds of places, of which one is sent. */
export interface RepositoryDraft {
  organizationId: string | null;
  name: string;
  place: {
    kind: NewRepository['place']['kind'];
    path: string;
    endpoint: string;
    region: string;
    bucket: string;
    prefix: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  password: string;
  repeatPassword: string;
  passwordDescription: string;
  retentionPolicy: string;
  immutableDays: string;
}

const EMPTY: RepositoryDraft = {
  organizationId: null,
  name: '',
  place: {
    kind: 'folder',
    path: '',
    endpoint: '',
    region: 'us-east-1',
    bucket: '',
    prefix: '',
    accessKeyId: '',
    secretAccessKey: '',
  },
  password: '',
  repeatPassword: '',
  passwordDescription: '',
  retentionPolicy: '5',
  immutableDays: '0',
};

/** What is shown once, after a repository was made. */
export interface RecoverySheetParts {
  made: MadeRepository;
  password: string;
  /** Of a bucket: where it is found. */
  bucket: { endpoint: string; region: string } | null;
}

interface Options {
  organizationId: string | null;
  name?: string;
  onMade: (parts: RecoverySheetParts) => void;
}

/** The form of a new repository. */
export function useNewRepositoryForm({ organizationId, name = '', onMade }: Options) {
  const form = useCallForm<typeof createM365Repository, RepositoryDraft, MadeRepository>(createM365Repository, {
    initial: { ...EMPTY, organizationId, name, place: { ...EMPTY.place, path: folderOf(name) } },
    secrets: ['place.secretAccessKey', 'password', 'repeatPassword'],
    toBody: bodyOf,
    send: useCreateRepository().mutateAsync,
    onDone: (made, { password, place }) => onMade({ made, password, bucket: bucketOf(place) }),
  });
  return { ...form, isComplete: form.isComplete && hasPlace(form.values) };
}

/** `Contoso & Sons` may be in the folder `contoso-sons`. */
function folderOf(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-');
}

function bucketOf({ kind, endpoint, region }: RepositoryDraft['place']): RecoverySheetParts['bucket'] {
  return kind === 's3' ? { endpoint: endpoint.trim(), region: region.trim() } : null;
}

function hasPlace({ place }: RepositoryDraft): boolean {
  const required = place.kind === 'folder' ? ['path'] : ['region', 'bucket', 'accessKeyId', 'secretAccessKey'];
  return Object.entries(place).every(([name, value]) => !required.includes(name) || value.trim() !== '');
}

function bodyOf({ place, organizationId, retentionPolicy, immutableDays, ...draft }: RepositoryDraft): NewRepository {
  return {
    ...draft,
    name: draft.name.trim(),
    passwordDescription: draft.passwordDescription.trim(),
    organizationId: organizationId ?? '',
    place: placeOf(place),
    retentionPolicy: retentionOf(retentionPolicy),
    // Only an object store can lock what was written.
    immutableDays: place.kind === 's3' ? Number(immutableDays || 0) : 0,
  };
}

function placeOf(place: RepositoryDraft['place']): NewRepository['place'] {
  if (place.kind === 'folder') return { kind: 'folder', path: place.path.trim() };
  const { region, bucket, accessKeyId, secretAccessKey } = place;
  const endpoint = place.endpoint.trim();
  const prefix = place.prefix.trim();
  return {
    kind: 's3',
    region: region.trim(),
    bucket: bucket.trim(),
    accessKeyId: accessKeyId.trim(),
    secretAccessKey,
    ...(endpoint === '' ? {} : { endpoint }),
    ...(prefix === '' ? {} : { prefix }),
  };
}
