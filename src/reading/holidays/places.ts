/** A day of the calendar on which something is. */
export interface NamedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly name: string;
}

/** A country, or a part of one, that has holidays of its own. */
export interface HolidayPlace {
  /** ISO 3166 code of the country, then those of its state and region: `DE`, `DE-BY`, `DE-BY-A`. */
  readonly code: string;
  /** Of a state or region in the language of the place. */
  readonly name: string;
}
