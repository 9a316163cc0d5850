import { GraphError } from '../../wire/graph-error.ts';

const forbiddenSigns = /["*:<>?/\\|]/;
const reservedNames = /^(\.lock|con|prn|aux|nul|com\d|lpt\d|desktop\.ini|_vti_.*|~\$.*)$/i;
const lengthMax = 255;
const pathLengthMax = 400;

/**
 * Checks a name against the vendor's restrictions for OneDrive and SharePoint.
 * @param path of the item below the library's root, as it would be
 * @throws GraphError 400 `invalidRequest`
 */
export function checkName(name: string, path: string): void {
  const isForbidden =
    name === '' ||
    name.trim() !== name ||
    forbiddenSigns.test(name) ||
    reservedNames.test(name) ||
    name.includes('_vti_');
  if (isForbidden)
    throw new GraphError(400, 'invalidRequest', `The provided name '${name}' contains invalid characters.`);
  if (name.length > lengthMax || path.length > pathLengthMax) {
    throw new GraphError(400, 'pathIsTooLong', `The path '${path}' is longer than ${pathLengthMax} characters.`);
  }
}

/** Returns the first of `name`, `name 1`, `name 2`, … (before the extension) that is not in use. */
export function freeName(name: string, isInUse: (name: string) => boolean): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let number = 1; isInUse(free); number += 1) free = `${stem} ${number}${extension}`;
  return free;
}

const mimeTypes: Record<string, string> = {
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  zip: 'application/zip',
  aspx: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** The vendor goes by the extension, not by what was sent. */
export function mimeTypeOf(name: string): string {
  return mimeTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
