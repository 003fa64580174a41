/** Calls a function once, when its result is first needed, and returns the same result each time. */
export function once<T>(create: () => NonNullable<T>): () => NonNullable<T> {
  let created: NonNullable<T> | undefined
  return () => {
    created ??= create()
    return created
  }
}
