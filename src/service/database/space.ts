import { type RawBuilder, sql } from 'kysely';

/** The space that all belongs to where nobody made another one. */
export const HOME_SPACE = 'default';

/** What a request may see: what belongs to the space of its key; all where absent, for what the service does by itself. */
export type Space = string | undefined;

/** Holds for rows of the space. */
export const inSpace = (space: Space, column = 'space'): RawBuilder<unknown> =>
  space === undefined ? sql`1 = 1` : sql`${sql.ref(column)} = ${space}`;
