import type { GraphMethod, GraphRoute } from './graph-call.ts';

export interface RouteMatch {
  route: GraphRoute;
  params: Record<string, string>;
}

/** A place in the tree of templates; children are tried in the order literal, pattern, parameter, rest. */
interface Place {
  literals: Map<string, Place>;
  patterns: { source: string; pattern: RegExp; names: string[]; place: Place }[];
  rests: { name: string; endsWithColon: boolean; place: Place }[];
  routes: Map<GraphMethod, GraphRoute>;
}

const newPlace = (): Place => ({ literals: new Map(), patterns: [], rests: [], routes: new Map() });

/**
 * Finds the operation of a path. A template's segment is a literal, a parameter `{name}`, a text with parameters
 * (`{item}:`, `delta(token='{token}')`), or a path of its own, `{path*}` up to the end or `{path*}:` up to a colon, as in
 * `/drives/{drive}/root:/{path*}:/content`. Literals are matched in any case and functions in all their spellings.
 */
export class Router {
  private readonly root = newPlace();

  /** @throws Error for two routes of one method and path */
  constructor(routes: Iterable<GraphRoute>) {
    for (const route of routes) this.add(route);
  }

  /** The route and its parameters; the allowed methods when only the method is wrong; `undefined` for an unknown path. */
  match(method: GraphMethod, path: string): RouteMatch | GraphMethod[] | undefined {
    const params: Record<string, string> = {};
    const place = find(this.root, splitPath(path), 0, params);
    const route = place?.routes.get(method);
    if (route) return { route, params };
    return place && [...place.routes.keys()];
  }

  private add(route: GraphRoute): void {
    let place = this.root;
    for (const segment of splitPath(route.path)) place = childOf(place, segment);
    if (place.routes.has(route.method)) throw new Error(`There are two routes for ${route.method} ${route.path}`);
    place.routes.set(route.method, route);
  }
}

/** Segments without the spellings that mean nothing: `microsoft.graph.delta()` is `delta`, `users('7')` is `users/7`. */
function splitPath(path: string): string[] {
  return path.split('/').flatMap((segment) => {
    if (segment === '') return [];
    const key = /^([A-Za-z]+)\('([^']*)'\)$/.exec(segment);
    if (key) return [key[1] ?? '', key[2] ?? ''];
    return [segment.replace(/^microsoft\.graph\./i, '').replace(/\(\)$/, '')];
  });
}

function childOf(place: Place, segment: string): Place {
  const rest = /^\{(\w+)\*\}(:?)$/.exec(segment);
  if (rest) {
    const name = rest[1] ?? '';
    const endsWithColon = rest[2] === ':';
    const known = place.rests.find((child) => child.name === name && child.endsWithColon === endsWithColon);
    if (known) return known.place;
    const child = { name, endsWithColon, place: newPlace() };
    // What ends with a colon is more exact, and so has its turn first.
    if (endsWithColon) place.rests.unshift(child);
    else place.rests.push(child);
    return child.place;
  }
  return segment.includes('{') ? patternChild(place, segment) : literalChild(place, segment.toLowerCase());
}

function literalChild(place: Place, literal: string): Place {
  const child = place.literals.get(literal) ?? newPlace();
  place.literals.set(literal, child);
  return child;
}

function patternChild(place: Place, source: string): Place {
  const known = place.patterns.find((child) => child.source === source);
  if (known) return known.place;
  const names: string[] = [];
  const pattern = source.replace(/[.*+?^$()|[\]\\]|\{(\w+)\}/g, (sign, name?: string) => {
    if (name === undefined) return `\\${sign}`;
    names.push(name);
    return '(.+?)';
  });
  const child = { source, pattern: new RegExp(`^${pattern}$`, 'i'), names, place: newPlace() };
  // Longer texts around a parameter are more exact: `{item}:` before `{item}`.
  place.patterns.push(child);
  place.patterns.sort(
    (left, right) => right.source.replace(/\w+/g, '').length - left.source.replace(/\w+/g, '').length,
  );
  return child.place;
}

function find(place: Place, segments: string[], index: number, params: Record<string, string>): Place | undefined {
  const segment = segments[index];
  if (segment === undefined) return place.routes.size > 0 ? place : undefined;
  const literal = place.literals.get(segment.toLowerCase());
  const found = literal && find(literal, segments, index + 1, params);
  if (found) return found;
  for (const { pattern, names, place: next } of place.patterns) {
    const values = pattern.exec(segment);
    const end = values && find(next, segments, index + 1, params);
    if (!values || !end) continue;
    for (const [at, name] of names.entries()) params[name] = decode(values[at + 1] ?? '');
    return end;
  }
  return findRest(place, segments, index, params);
}

function findRest(place: Place, segments: string[], index: number, params: Record<string, string>): Place | undefined {
  for (const { name, endsWithColon, place: next } of place.rests) {
    const colon = segments.findIndex((segment, at) => at >= index && segment.endsWith(':'));
    const last = colon < 0 ? segments.length - 1 : colon;
    if (endsWithColon ? colon < 0 : last !== segments.length - 1) continue;
    const end = find(next, segments, last + 1, params);
    if (!end) continue;
    params[name] = segments
      .slice(index, last + 1)
      .map(decode)
      .join('/')
      .replace(/:$/, '');
    return end;
  }
  return undefined;
}

/** A value with an invalid escape stays unchanged, because it cannot name anything. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
