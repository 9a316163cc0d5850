const PLACES_FIRST = 1_024;
/** Shares its place with nothing: what is empty. */
const EMPTY = 0;

/**
 * A set of whole numbers above zero, up to 2^53, in 11 to 23 bytes each: that of the language takes three times as much. Numbers have to be spread
 * as those of a hash are.
 */
export class DigestSet {
  private places = new Float64Array(PLACES_FIRST);
  private count = 0;

  has(digest: number): boolean {
    return this.places[this.placeOf(digest)] === digest;
  }

  add(digest: number): void {
    const place = this.placeOf(digest);
    if (this.places[place] === digest) return;
    this.places[place] = digest;
    this.count += 1;
    if (this.count > this.places.length * 0.7) this.grow();
  }

  /** Where the digest is, or would be: the first free place from its own on. */
  private placeOf(digest: number): number {
    const { places } = this;
    let place = digest % places.length;
    while (places[place] !== EMPTY && places[place] !== digest) place = (place + 1) % places.length;
    return place;
  }

  private grow(): void {
    const before = this.places;
    this.places = new Float64Array(2 * before.length);
    for (const digest of before) if (digest !== EMPTY) this.places[this.placeOf(digest)] = digest;
  }
}
