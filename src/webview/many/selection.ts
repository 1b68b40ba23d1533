/** Which rows of a list are selected, by their ids, and from where a range is extended. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined };

export const only = (id: string): Selection => ({ ids: new Set([id]), anchor: id });

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** All rows from the anchor to one of them. @param shown ids in their order */
export function extended({ anchor }: Selection, id: string, shown: readonly string[]): Selection {
  const from = anchor === undefined ? -1 : shown.indexOf(anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return only(id);
  return { ids: new Set(shown.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor };
}

/** What is left of a selection where only these rows are there. */
export function within({ ids, anchor }: Selection, there: ReadonlySet<string>): Selection {
  return {
    ids: new Set([...ids].filter((id) => there.has(id))),
    anchor: anchor !== undefined && there.has(anchor) ? anchor : undefined,
  };
}
