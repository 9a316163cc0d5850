/** An item could not be written. Nothing of it is in the file; other items can still be added. */
export class ItemNotWrittenError extends Error {
  override name = 'ItemNotWrittenError';
}

/** A source gave more or fewer bytes than it had said. */
export class AttachmentSizeError extends Error {
  override name = 'AttachmentSizeError';

  constructor(attachment: string, expectedBytes: number, actualBytes: number) {
    super(
      `The attachment "${attachment}" was announced with ${expectedBytes} bytes but its content has ` +
        `${actualBytes >= expectedBytes ? 'more' : `only ${actualBytes}`}. Read it again from its source.`,
    );
  }
}

/** The file itself cannot be written any further: the disk is full, the share is gone. Nothing of it is left. */
export class FileNotWrittenError extends Error {
  override name = 'FileNotWrittenError';
}

/** Parts of an earlier file are beside the file to write and would look like parts of it. Nothing was written. */
export class EarlierPartError extends Error {
  override name = 'EarlierPartError';

  constructor(path: string, part: string) {
    super(
      `${part} is a part of an earlier export, and beside ${path} it would look like a part of this one. Move it away or delete it, or choose another name.`,
    );
  }
}
