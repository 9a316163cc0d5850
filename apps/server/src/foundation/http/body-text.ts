const UTF_16 = Buffer.from([0xff, 0xfe]);

/** The text of a body: UTF-8, or what begins with the mark of UTF-16, as which Windows PowerShell writes what a program prints. */
export function bodyText(body: Buffer): string {
  return body.subarray(0, UTF_16.length).equals(UTF_16) ? body.toString('utf16le', UTF_16.length) : body.toString();
}
