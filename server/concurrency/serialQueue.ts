/**
 * Does work one after the other, in the order of the calls.
 * @returns a function that gives what its work gives; work that fails holds up none behind it
 */
export function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
