import type { Drive } from '../../../../sandbox/src/microsoft365/drives/drive.ts';
import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import type { Source } from '../../source/source.ts';
import { objectsIn } from './graph-mailbox.ts';

/** Bytes a drive may have that a test reads over and over. */
const SMALL_BYTES = 20_000_000;

/** The first drive of a tenant with some files and folders and no huge file. */
export async function smallDriveOf(source: Source, { tenant }: RunningTenant): Promise<ProtectedObject> {
  for (const drive of await objectsIn(source, 'drive')) {
    const { root } = tenant.drives.drive(drive.id);
    const kinds = [...tenant.drives.drive(drive.id).all()].map(({ kind }) => kind);
    const isFilled =
      kinds.filter((kind) => kind === 'file').length > 8 && kinds.filter((kind) => kind === 'folder').length > 3;
    if (isFilled && root.size < SMALL_BYTES) return drive;
  }
  throw new Error('The tenant has no small drive.');
}

/** The drive that has what is seldom: malware, a notebook, a shortcut, many versions, a huge file. */
export async function rareDriveOf(source: Source, { tenant }: RunningTenant): Promise<ProtectedObject> {
  for (const drive of await objectsIn(source, 'drive')) {
    if ([...tenant.drives.drive(drive.id).all()].some(({ malware }) => malware !== undefined)) return drive;
  }
  throw new Error('The tenant has no drive with malware.');
}

/** Takes the large file away: a test that is about others reads it for nothing. */
export function removeLargeFile(drive: Drive): void {
  const large = [...drive.all()].find(({ kind, size }) => kind === 'file' && size > SMALL_BYTES);
  if (large === undefined) throw new Error('The drive has no large file.');
  drive.remove(large);
}

/** The drive as the tenant has it, for a look behind the wire. */
export function insideOf({ tenant }: RunningTenant, { id }: ProtectedObject): Drive {
  return tenant.drives.drive(id);
}
