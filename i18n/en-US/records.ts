/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: 'Create without “%{field}”',
  },
  part: {
    failed: 'This part of the console could not be loaded. Check the connection, then try again.',
  },
}
