/** Resolves like `work`, or with `instead` when `work` takes longer than `ms`. The work itself goes on unwatched. */
export async function withPatience<T, U>(work: Promise<T>, ms: number, instead: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(instead), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
