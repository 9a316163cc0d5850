import type { MimeNode } from '@zone-eu/mailsplit';

/** The content type of a part. One that does not say it is a message in a digest (RFC 2046 5.1.5), and text elsewhere. */
export function contentTypeOf({ contentType, headers, parentNode }: MimeNode): string | false {
  const isDigest = parentNode !== false && parentNode.multipart === 'digest';
  return isDigest && headers && !headers.hasHeader('content-type') ? 'message/rfc822' : contentType;
}
