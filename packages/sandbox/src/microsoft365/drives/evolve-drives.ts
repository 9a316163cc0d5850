import { mix } from '../../world/random.ts';
import type { Tenant } from '../tenant.ts';
import { generatedContent } from './content/generated-content.ts';
import type { Drive } from './drive.ts';
import type { Edit } from './identity-set.ts';
import type { DriveItem } from './items/drive-item.ts';

/** Changes one drive: adds, changes, renames, moves or deletes a file, or creates or renames a folder. */
export function evolveDrives(tenant: Tenant, step: number): void {
  const { seed } = tenant;
  const drives = [...tenant.drives.all()].filter(({ facts }) => facts.name !== 'Site Pages');
  const drive = drives[mix(seed, step, 661) % Math.max(1, drives.length)];
  if (!drive) return;
  const people = tenant.drives.people.users();
  const person = people[mix(seed, step, 662) % Math.max(1, people.length)];
  const by = { user: { id: person?.id ?? '', displayName: person?.displayName ?? '' } };
  change(drive, { by, atMs: tenant.nowMs() }, seed, step);
}

function change(drive: Drive, edit: Edit, seed: number, step: number): void {
  const items = [...drive.all()];
  const folders = [drive.root, ...items.filter(({ kind }) => kind === 'folder')];
  const files = items.filter(({ kind }) => kind === 'file');
  const one = (list: readonly DriveItem[], salt: number) => list[mix(seed, step, salt) % Math.max(1, list.length)];
  const parent = one(folders, 663) ?? drive.root;
  const file = one(files, 664);
  const content = generatedContent(mix(seed, step, 665), 100 + (mix(seed, step, 666) % 20_000));
  if (!file || step % 7 === 0) drive.add(parent, { name: `New ${step}.docx`, kind: 'file', content }, edit, 'rename');
  else if (step % 7 === 1) drive.write(file, content, edit);
  else if (step % 7 === 2)
    drive.move(
      file,
      { parent: file.parent ?? parent, name: `Renamed ${step} ${file.name}`.slice(0, 80) },
      edit,
      'rename',
    );
  else if (step % 7 === 3) drive.move(file, { parent, name: file.name }, edit, 'rename');
  else if (step % 7 === 4) drive.remove(file);
  else if (step % 7 === 5) drive.add(parent, { name: `Ordner ${step}`, kind: 'folder' }, edit, 'rename');
  else if (parent.parent) drive.move(parent, { parent: parent.parent, name: `Umbenannt ${step}` }, edit, 'rename');
}
