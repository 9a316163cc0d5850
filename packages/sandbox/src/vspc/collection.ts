import { badParameter } from './errors.ts';
import { applyFilter } from './filter.ts';
import { type Entity, propertyAt } from './property.ts';
import { applySort } from './sort.ts';

export type Query = Readonly<Record<string, unknown>>;

const defaultLimit = 100;
const limitMax = 500;

/**
 * Answers a collection: filtered, sorted, one page of it, in the vendor's envelope.
 * @param sources the things behind the entities, in their natural order
 * @param toEntity makes the wire's form; without `filter` and `sort` it is called for the asked page alone
 * @throws VendorError 400 for a limit, offset, filter or sort that is not valid
 */
export function answerCollection<S, T extends Entity>(sources: readonly S[], toEntity: (source: S) => T, query: Query) {
  const limit = wholeNumber(query, 'limit', defaultLimit, 1, limitMax);
  const offset = wholeNumber(query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const filter = textOf(query, 'filter');
  const sort = textOf(query, 'sort');
  if (filter === undefined && sort === undefined) {
    return envelope(sources.slice(offset, offset + limit).map(toEntity), sources.length, offset, query);
  }
  const all = sources.map(toEntity);
  const matching = filter === undefined ? all : applyFilter(all, filter);
  const ordered = sort === undefined ? matching : applySort(matching, sort);
  return envelope(ordered.slice(offset, offset + limit), ordered.length, offset, query);
}

/** Whether `expand` names a resource; the parameter may be repeated or contain a list. */
export function isExpanded(query: Query, resource: string): boolean {
  const { expand } = query;
  return (Array.isArray(expand) ? expand : [expand])
    .flatMap((entry) => (typeof entry === 'string' ? entry.split(',') : []))
    .includes(resource);
}

export function textOf(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw badParameter(name, `Parameter ${name} must be given once.`);
  return value;
}

function envelope(data: readonly Entity[], total: number, offset: number, query: Query) {
  const chosen = selectedNames(query);
  return {
    meta: { pagingInfo: { total, count: data.length, offset } },
    data: chosen ? data.map((entity) => reduceTo(entity, chosen)) : data,
  };
}

/** `select` as a list of names or of `{propertyPath}`; only whole properties of the first level are supported here. */
function selectedNames(query: Query): string[] | undefined {
  const parameter = textOf(query, 'select');
  if (parameter === undefined) return undefined;
  let parsed: unknown = parameter.split(',');
  if (parameter.startsWith('[')) {
    try {
      parsed = JSON.parse(parameter);
    } catch {
      throw badParameter('select', 'Select expression is not valid JSON.');
    }
  }
  return (Array.isArray(parsed) ? parsed : [])
    .map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : propertyAt(entry, 'propertyPath')))
    .filter((name) => typeof name === 'string');
}

function reduceTo(entity: Entity, names: readonly string[]): Entity {
  return Object.fromEntries(Object.entries(entity).filter(([name]) => names.includes(name)));
}

function wholeNumber(query: Query, name: string, standard: number, least: number, most: number): number {
  const text = textOf(query, name);
  if (text === undefined) return standard;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw badParameter(name, `Value '${text}' is not a valid integer.`);
  if (value < least) throw badParameter(name, `Property value must be larger or equal to ${least}.`);
  if (value > most) throw badParameter(name, `Property value must be less or equal to ${most}.`);
  return value;
}
