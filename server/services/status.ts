import type { Certificate, ProbeResult } from '../machines/hosts/probe.ts'
import { type CertificateNews, judgeCertificate, type KnownCertificate } from './certificate.ts'

/** What a server says about a service. */
export type Word = 'up' | 'down'
/** Where the delay lies between `min_latency` and `max_latency`. */
export type Latency = 'within' | 'above' | 'below'

/** What is known of a service across a restart. */
export interface KnownVerdict {
  /** Nothing before the first check. */
  word: Word | null
  latency: Latency
  /** By the id of the server that saw it. */
  certificates: Record<string, KnownCertificate>
}

/** Milliseconds; 0 is no bound. */
export interface Bounds {
  min: number
  max: number
}

export type News =
  | { kind: 'down'; problem: string }
  | { kind: 'up' }
  | { kind: 'slow'; latency: Latency; delay: number }
  | CertificateNews

export interface Verdict {
  /** @returns what has changed by this check @param at milliseconds since 1970 */
  take(server: number, result: ProbeResult, bounds: Bounds, at: number): News[]
  /** Only these servers check it now. */
  keepServers(ids: ReadonlySet<number>): void
  /** The target is another one: its certificates are not those of before. */
  forgetCertificates(): void
  known(): KnownVerdict
}

export const nothingKnown = (): KnownVerdict => ({ word: null, latency: 'within', certificates: {} })

/** A server takes back its word after so many checks in a row that say the other. */
const needed = 2

interface Opinion {
  word: Word
  /** The latest checks in a row that say otherwise. */
  doubts: number
}

/**
 * Judges a service by what the servers that check it say. One lost packet is no failure: a server takes its word back
 * after two checks in a row. The first check of all counts at once. A service is down while half of its servers or
 * more say so; what could not be checked says nothing.
 */
export function createVerdict({ word, latency, certificates }: KnownVerdict): Verdict {
  const opinions = new Map<number, Opinion>()
  const seen = new Map(Object.entries(certificates))
  let side = latency
  let sideDoubts = 0

  function listen(server: number, said: Word): void {
    // After a restart a server goes on from what was known.
    const opinion = opinions.get(server) ?? { word: word ?? said, doubts: 0 }
    opinions.set(server, opinion)
    opinion.doubts = said === opinion.word ? 0 : opinion.doubts + 1
    if (opinion.doubts < needed) return
    opinion.word = said
    opinion.doubts = 0
  }

  function wordOfAll(): Word {
    const down = [...opinions.values()].filter((opinion) => opinion.word === 'down').length
    return down > 0 && down * 2 >= opinions.size ? 'down' : 'up'
  }

  function weigh(delay: number, { min, max }: Bounds): News[] {
    const now: Latency = max > 0 && delay > max ? 'above' : min > 0 && delay < min ? 'below' : 'within'
    sideDoubts = now === side ? 0 : sideDoubts + 1
    if (sideDoubts < needed) return []
    side = now
    sideDoubts = 0
    return [{ kind: 'slow', latency: side, delay }]
  }

  function look(server: number, certificate: Certificate | undefined, at: number): News[] {
    if (!certificate) return []
    const { known, news } = judgeCertificate(seen.get(String(server)), certificate, at)
    seen.set(String(server), known)
    return news
  }

  return {
    take(server, result, bounds, at) {
      if (result.outcome === 'not permitted') return []
      const isFirst = word === null
      listen(server, result.outcome)
      const before = word
      word = wordOfAll()
      const news = look(server, result.certificate, at)
      if (result.outcome === 'up') news.push(...weigh(result.delay, bounds))
      if (word === before || (isFirst && word === 'up')) return news
      const problem = result.outcome === 'down' ? result.problem : ''
      return [word === 'up' ? { kind: 'up' } : { kind: 'down', problem }, ...news]
    },
    keepServers(ids) {
      for (const id of opinions.keys()) if (!ids.has(id)) opinions.delete(id)
    },
    forgetCertificates: () => seen.clear(),
    known: () => ({ word, latency: side, certificates: Object.fromEntries(seen) }),
  }
}
