import { FORGOTTEN, sealedColumn } from '../../foundation/sealed-column.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { m365Repositories } from '../tables.ts';
import type { RepositorySecrets } from './repository-place.ts';

/** A repository as tables name it. */
export interface RepositoryKey {
  providerId: number;
  id: string;
}

/** Binds the secrets of a repository to its row, so that they cannot be opened in another one. */
const contextOf = ({ providerId, id }: RepositoryKey) => `m365-repository/${providerId}/${id}`;

/** A repository whose password was lost stays, with its backups: the password is entered again. */
export const SEALED_REPOSITORY_SECRETS = sealedColumn(m365Repositories, 'secrets', ['providerId', 'id'], contextOf, {
  staysWithout: true,
});

export function sealRepositorySecrets(box: SecretBox, key: RepositoryKey, secrets: RepositorySecrets): Buffer {
  return box.seal(JSON.stringify(secrets), contextOf(key));
}

/** Opens the password and keys of a repository. For the engine, never for a reply. `null` where they were forgotten, as their key was lost. */
export function openRepositorySecrets(box: SecretBox, key: RepositoryKey, sealed: Buffer): RepositorySecrets | null {
  return sealed.equals(FORGOTTEN) ? null : JSON.parse(box.open(sealed, contextOf(key)));
}
