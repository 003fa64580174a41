/**
 * How many letters have to be put in, left out, changed or swapped with their neighbour to make one word of the other.
 *
 * @param {string} one
 * @param {string} other
 */
function distance(one, other) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  const at = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? 0
  for (let row = 1; row <= one.length; row++) {
    rows.push([row])
    for (let column = 1; column <= other.length; column++) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + change,
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(one.length, other.length)
}

/**
 * Letters that may be wrong in a word of this length. Two of a short one make another word: BASE_DIR is not DATA_DIR, nor
 * TLS_PORT TLS_CERT, nor BACKUP_NAME BACKUP_TIME.
 */
const tolerance = (/** @type {number} */ length) => (length < 4 ? 0 : length < 12 ? 1 : 2)

/**
 * The word that was probably meant by one that is not among `words`.
 *
 * @param {string} word
 * @param {readonly string[]} words
 * @returns {string | undefined} nothing where none is close, or `word` is one of them
 */
export function probablyMeant(word, words) {
  if (words.includes(word)) return undefined
  const [closest] = words
    .filter((name) => Math.abs(name.length - word.length) <= 2)
    .map((name) => ({ name, wrong: distance(word, name) }))
    .filter(({ name, wrong }) => wrong <= tolerance(name.length))
    .sort((a, b) => a.wrong - b.wrong)
  return closest?.name
}
