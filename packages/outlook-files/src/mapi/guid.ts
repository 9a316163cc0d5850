/** A GUID's 16 bytes as Windows stores them: the first three groups with their low byte first. */
export function guidBytes(text: string): Buffer {
  const hex = text.replace(/[{}-]/g, '');
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== 16) {
    throw new TypeError(`"${text}" is not a GUID.`);
  }
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}
