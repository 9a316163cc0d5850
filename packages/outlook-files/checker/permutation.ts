/** The decoding third of the permutation table of [MS-PST] 5.1: position = stored byte, value = real byte. */
const table = Buffer.from(
  '47f1b4e60b6a7248854e9eebe2f89453e0bba002e85a09abdbe3bac67cc310dd39059630f53760828cc9134a6b1df3fb' +
    '8f2697ca911701c4322d6e3195ffd923d1005e79dc443b1a28c5615720903d83b943be67d2464276c06d5b7eb20f1629' +
    '3ca903540dda5ddff6b7c762cd8d06d3695c86d614f7a56675acb1e94521700c879f74a4224c6fbf1f56aa2eb3783350' +
    'b0a392bccf191ca763cb1e4d3e4b1b9b4fe7f0eead3ab55904ea40552551e57a893868527bfc27aed7bdfa07f4cc8e5f' +
    'ef359c842b15d5773449b6120a7f7188fd9d18417d93d8582ccefe24afdeb836c8a180a69998a82f0e816573e4c2a28a' +
    'd4e111d0088b2af2ed9a643fc16cf9ec',
  'hex',
);

/** The bytes of a data block encoded with NDB_CRYPT_PERMUTE, decoded. */
export function decodePermutation(data: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(data.length);
  for (let at = 0; at < data.length; at++) decoded[at] = table[data[at] ?? 0] ?? 0;
  return decoded;
}

/** The reverse, for writing test files. */
export function encodePermutation(data: Buffer): Buffer {
  return Buffer.from(data.map((byte) => table.indexOf(byte)));
}
