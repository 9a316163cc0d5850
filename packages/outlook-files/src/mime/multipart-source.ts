import type { MimeNode } from '@zone-eu/mailsplit';
import { delimiterOf } from './delimiter.ts';

const LF = 0x0a;

/**
 * The source of a multipart in which no part begins, up to where a multipart around it continues.
 * @param content what the splitter gave behind the header
 */
export function multipartSource(node: MimeNode, content: Buffer): Buffer {
  for (let start = 0; start < content.length; ) {
    const lineEnd = content.indexOf(LF, start);
    const end = lineEnd < 0 ? content.length : lineEnd + 1;
    if (isDelimiter(node, content.subarray(start, end))) return content.subarray(0, start);
    start = end;
  }
  return content;
}

/** Whether a line ends the multipart, or is a delimiter of one around it. */
function isDelimiter(node: MimeNode, line: Buffer): boolean {
  for (let each: MimeNode | false = node; each; each = each.parentNode) {
    if (each._boundary && delimiterOf(line, 0, each._boundary)) return true;
  }
  return false;
}
