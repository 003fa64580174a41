import { labelText, type Sample } from './exposition.ts'

/** Counts answered requests since the start of the server. */
export interface RequestCounter {
  /** @param status of the reply */
  count(status: number): void
  samples(): Sample[]
}

/** From 2xx to 5xx. */
const classes = [2, 3, 4, 5]

export function createRequestCounter(): RequestCounter {
  const counts = new Map(classes.map((one) => [one, 0]))
  return {
    count(status) {
      const one = Math.floor(status / 100)
      const count = counts.get(one)
      if (count !== undefined) counts.set(one, count + 1)
    },
    samples: () => [...counts].map(([one, count]) => [labelText({ status: `${one}xx` }), count]),
  }
}
