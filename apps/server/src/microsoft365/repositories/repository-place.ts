import { resolve } from 'node:path';
import type { RepositoryPlace } from '@keepwatch/connectors/ports/microsoft365-engine';

/** Where a repository is, without secrets: what the engine opens, and the same for people. */
export interface StoredPlace {
  kind: RepositoryPlace['kind'];
  /** Unique among repositories: `/backups/contoso`, `s3://bucket/prefix`. */
  place: string;
  /** Of a bucket: endpoint and region. */
  settings: Readonly<Record<string, string>>;
}

/** What opens the repository in a place. Sealed as it is. */
export interface RepositorySecrets {
  password: string;
  accessKeyId?: string;
  secretAccessKey?: string;
}

/** Returns the place of a repository as it is stored. */
export function storedPlaceOf(place: RepositoryPlace): StoredPlace {
  if (place.kind === 'folder') return { kind: 'folder', place: resolve(place.path), settings: {} };
  const prefix = place.prefix.replace(/^\/+|\/+$/g, '');
  return {
    kind: 's3',
    place: `s3://${place.bucket}${prefix === '' ? '' : `/${prefix}`}`,
    settings: {
      ...(place.endpoint === null ? {} : { endpoint: place.endpoint }),
      ...(place.region === '' ? {} : { region: place.region }),
    },
  };
}

/** Returns the place as the engine reads it in one line, with its lock against deletion. */
export function enginePlaceOf({ kind, place, settings }: StoredPlace, immutableDays: number): string {
  if (kind === 'folder') return place;
  const options = new URLSearchParams(settings);
  if (immutableDays > 0) options.set('lock-days', String(immutableDays));
  return options.size === 0 ? place : `${place}?${options}`;
}

/** Returns the keys of a bucket under the names by which the engine reads them. */
export function storeEnvironment({
  accessKeyId,
  secretAccessKey,
}: RepositorySecrets): Readonly<Record<string, string>> {
  if (accessKeyId === undefined || secretAccessKey === undefined) return {};
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}

/** Returns what of a new repository must be sealed. */
export function secretsOf(place: RepositoryPlace, password: string): RepositorySecrets {
  if (place.kind === 'folder') return { password };
  const { accessKeyId, secretAccessKey } = place;
  return { password, accessKeyId, secretAccessKey };
}
