/** A rate that a person typed. */
export interface Rate {
  currency: string
  /** What one unit is worth in the currency of sums. */
  rate: number
}

/** Converts prices into the currency of sums. */
export interface Exchange {
  /** Empty where no contract has one. */
  currency: string
  /** @returns `undefined` without a rate */
  convert(amount: number, currency: string): number | undefined
}

/**
 * A price without a currency is in that of sums.
 * @param chosen the currency of sums; empty: the one that most contracts have
 * @param rates what they are worth in `chosen`: without it they hold for nothing, because each person may have other
 * contracts
 * @param used the currencies of all contracts, with repetitions
 */
export function exchangeOf(chosen: string, rates: readonly Rate[], used: Iterable<string>): Exchange {
  const currency = chosen || mostUsed(used)
  const rateOf = new Map((chosen ? rates : []).map((one) => [one.currency, one.rate]))
  return {
    currency,
    convert(amount, from) {
      const rate = from === '' || from === currency ? 1 : rateOf.get(from)
      return rate === undefined ? undefined : amount * rate
    },
  }
}

/** Of those that are used as often, the first by name, so that sums do not change by themselves. */
function mostUsed(used: Iterable<string>): string {
  const counts = new Map<string, number>()
  for (const currency of used) if (currency !== '') counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const [most] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return most?.[0] ?? ''
}
