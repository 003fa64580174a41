/** Numbers that look random and are the same every time. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  whole(below: number): number
  oneOf<T>(choices: readonly [T, ...T[]]): T
}

/** The linear congruence of Numerical Recipes: simple, and good enough for made-up machines. */
export function randomlyFrom(start: number): Random {
  let state = start >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const whole = (below: number) => Math.floor(next() * below)
  return { whole, oneOf: (choices) => choices[whole(choices.length)] as (typeof choices)[number] }
}
