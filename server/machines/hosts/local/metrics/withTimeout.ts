/** Resolves like `work`, or with `fallback` when `work` takes longer than `ms`. `work` itself is not stopped. */
export async function withTimeout<T, U>(work: Promise<T>, ms: number, fallback: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(fallback), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
