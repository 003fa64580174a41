/** How much of what people changed a browser holds to take it back. */
export const changeLimits = {
  /** Milliseconds: a day. */
  ageMs: 24 * 60 * 60_000,
  /** Records of all actions together: more than a bulk edit of every server of a large fleet. */
  records: 20_000,
  /** Characters of all records together, as JSON. */
  chars: 32_000_000,
  /** Characters of one record, as JSON: a form with everything at its longest. */
  recordChars: 2_000_000,
} as const
