import { useMemo } from 'react';
import styles from './preview.module.css';

/**
 * What a frame may do, said once more in the document itself, so that nothing in a message reaches out even where cleaning it has
 * missed something: https://www.w3.org/TR/CSP3/#directive-default-src. A link is shown and goes nowhere: what it leads to may be why the
 * message is looked at.
 */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/** The document of a message for a sandboxed frame. */
export function mailDocument(html: string): string {
  return frameDocument(html, '');
}

/** A document that can do nothing. @param style rules of it besides those of all */
export function frameDocument(html: string, style: string): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer"><style>body{margin:12px;background:#fff;color:#1a1d23;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%}a{pointer-events:none}${style}</style></head><body>${html}</body></html>`;
}

/** A text of so many characters needs no window of its own height. */
const SHORT_CHARACTERS = 1_500;

/** The body of a message. It is white in the dark as well: senders choose their colours for paper. */
export function MailBody({ html, name }: { html: string; name: string }) {
  const document = useMemo(() => mailDocument(html), [html]);
  return (
    <iframe
      className={styles.frame}
      data-short={html.length < SHORT_CHARACTERS || undefined}
      sandbox=""
      title={`Message: ${name}`}
      srcDoc={document}
      referrerPolicy="no-referrer"
    />
  );
}
