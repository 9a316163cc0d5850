import type { RunningSandbox } from '../server.ts';

/** A reply with its body as text and, where it is JSON, parsed. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/** Asks a sandbox for a path below its base, as the holder of the API key. */
export async function ask(
  sandbox: RunningSandbox,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(sandbox.url + path, {
    headers: { authorization: `Bearer ${sandbox.apiKey}`, ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** Sends a form, as the token call wants it. */
export async function sendForm(sandbox: RunningSandbox, path: string, form: Record<string, string>): Promise<Answer> {
  const response = await fetch(sandbox.url + path, { method: 'POST', body: new URLSearchParams(form) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** The value at a path of property names and places; undefined where there is none. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.hasOwn(found, step) ? Reflect.get(found, step) : undefined;
  }
  return found;
}

/** The list at a path; a test that finds none has failed. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found))
    throw new Error(`There is no list at ${path.join('.')} of ${JSON.stringify(value)?.slice(0, 200)}`);
  return found;
}

/** The text at a path; a test that finds none has failed. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`There is no text at ${path.join('.')}`);
  return found;
}

/** Every entity of a collection, page by page. */
export async function readAll(sandbox: RunningSandbox, path: string): Promise<unknown[]> {
  const entities: unknown[] = [];
  for (;;) {
    const mark = path.includes('?') ? '&' : '?';
    const { status, body, text } = await ask(sandbox, `${path}${mark}limit=500&offset=${entities.length}`);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
    entities.push(...listAt(body, 'data'));
    const total = at(body, 'meta', 'pagingInfo', 'total');
    if (typeof total !== 'number' || entities.length >= total) return entities;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
