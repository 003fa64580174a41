/** A step into a JSON value: a name, an index (from the end where it is negative), or each entry. */
export type JsonStep = string | number | typeof eachEntry

export const eachEntry = Symbol('*')

/** Steps of a path: deeper answers are not looked into. */
const maxSteps = 32

/**
 * Reads a JSONPath without scripts, filters and searches: `$.data[0].name`, `$['a b'][-1]`, `$.items[*].state`. The `$` may
 * be left out.
 * @returns `undefined` for anything else
 */
export function parseJsonPath(text: string): JsonStep[] | undefined {
  const path = text.trim().replace(/^\$/, '')
  const pattern =
    /\.?\[\s*(?:(-?\d{1,9})|(\*)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]|\.(\*)|\.?([^\s.[\]'"*$]+)/y
  const steps: JsonStep[] = []
  while (pattern.lastIndex < path.length) {
    const found = pattern.exec(path)
    if (!found || steps.length >= maxSteps) return undefined
    const [, index, each, single, double, eachName, name] = found
    if (index !== undefined) steps.push(Number(index))
    else if (each ?? eachName) steps.push(eachEntry)
    else steps.push(name ?? (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'))
  }
  return steps
}

/** Values that a path may lead to; further ones do not count. */
const maxValues = 1000

/** The values in a JSON value to which a path leads. */
export function valuesAt(value: unknown, steps: readonly JsonStep[]): unknown[] {
  let values: unknown[] = [value]
  for (const step of steps) {
    const next: unknown[] = []
    for (const one of values) {
      if (next.length >= maxValues) break
      next.push(...stepInto(one, step))
    }
    values = next.slice(0, maxValues)
  }
  return values
}

function stepInto(value: unknown, step: JsonStep): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (step === eachEntry) return Object.values(value).slice(0, maxValues)
  if (Array.isArray(value)) {
    const item = typeof step === 'number' ? value.at(step) : undefined
    return item === undefined ? [] : [item]
  }
  return Object.hasOwn(value, step) ? [Reflect.get(value, step)] : []
}

/** The path to a value, as people read it. @param steps without `*` */
export const jsonPathText = (steps: readonly (string | number)[]): string =>
  `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : /^[A-Za-z_][\w-]*$/.test(step) ? `.${step}` : `['${step.replaceAll(/['\\]/g, '\\$&')}']`)).join('')}`
