/** Separates the id of a library from that of a folder or file in it (docs/decisions/0046). */
export const SEPARATOR = ':';
