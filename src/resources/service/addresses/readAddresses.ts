import { targetProblem } from '../../../schemas/service.ts'

/** Lines that are read at once: each makes a service. */
export const mostAddresses = 500

/** What was pasted, as far as it is read. */
export interface ReadAddresses {
  addresses: readonly ReadAddress[]
  /** How many lines with something in them are beyond those that are read. */
  leftOut: number
}

/** A service that a line stands for. */
export interface ReadAddress {
  line: number
  name: string
  type: number
  target: string
  /** Why none is made of it; absent for a good one. */
  problem?: 'unreadable' | 'known'
}

/** HTTP, ping and TCP, by what an address looks like: the first that fits. */
const types = [1, 3, 2] as const

/**
 * Reads pasted addresses, one on each line: a web address, a host with its port, or a host. Before or behind it may
 * stand a name, with a tab, a comma or a semicolon between them.
 * @param known targets that services have already
 */
export function readAddresses(text: string, known: ReadonlySet<string>): ReadAddresses {
  const seen = new Set(known)
  const lines = text
    .split(/\r?\n/)
    .map((content, index) => ({ content: content.trim(), line: index + 1 }))
    .filter(({ content }) => content !== '' && !content.startsWith('#'))
  const addresses = lines.slice(0, mostAddresses).map(({ content, line }): ReadAddress => {
    const parts = content
      .split(/[\t,;]/)
      .map((part) => part.trim())
      .filter(Boolean)
    const found = parts
      .map((target) => ({ target, type: types.find((type) => targetProblem(type, target) === undefined) }))
      .sort((one, other) => rank(one.type) - rank(other.type))[0]
    if (!found?.type) return { line, name: content.slice(0, 128), type: 0, target: content, problem: 'unreadable' }
    const { target, type } = found
    const problem = seen.has(target) ? ('known' as const) : undefined
    seen.add(target)
    const name = parts.find((part) => part !== target) ?? nameOf(target)
    return { line, name: name.slice(0, 128), type, target, ...(problem && { problem }) }
  })
  return { addresses, leftOut: lines.length - addresses.length }
}

/** A name can look like a host, too: what looks more like an address is it. */
const rank = (type: (typeof types)[number] | undefined) => (type === undefined ? types.length : types.indexOf(type))

/** An address as people call it: without its scheme, and what an empty path adds. */
const nameOf = (target: string) => target.replace(/^https?:\/\//i, '').replace(/\/$/, '')
