/** Hebrew, Arabic and other writings from right to left, and the characters that set a direction. */
const turnsAround = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{1e800}-\u{1eeff}]/u

/**
 * A name as it stands in a sentence: one that is written from right to left would turn round what follows it, such as
 * numbers and further names. Isolates end with their line, so that texts of several lines stay as they are.
 */
export const isolate = (text: string): string =>
  turnsAround.test(text) && !text.includes('\n') && !text.startsWith('\u2068') ? `\u2068${text}\u2069` : text
