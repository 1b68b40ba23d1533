/** What is looked at to find out how a document is laid out: this many characters, and this many lines. */
const CHARACTERS = 65_536;
const LINES = 20;
/** A line that is longer than this is looked at in part. */
const MOST = 8_000_000;

/** End of the first lines that tell how a document is laid out, or -1 where more text is needed to tell. */
export function headEnd(text: string): number {
  if (text.length < CHARACTERS) return -1;
  let end = -1;
  for (let line = 0; line < LINES || end < CHARACTERS; line++) {
    const next = text.indexOf('\n', end + 1);
    if (next < 0 || next > MOST) return line >= LINES ? end : text.length > MOST ? MOST : -1;
    end = next;
  }
  return end;
}
