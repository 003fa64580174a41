import type { Programs } from './programs.ts'

/** What a machine said about a subject. */
export interface Said<Item> {
  items: Item[]
  /** Output that was not understood, as it is. */
  text?: string
  /** Whether there are more items than these. */
  truncated?: boolean
  /** Where what comes before the items begins. */
  earlier?: string
}

/**
 * One subject: the command that tells it, and the parser of its output. What is not understood is `text` or left out, never
 * an exception.
 */
export interface Subject<Item, Query = undefined, Before extends Said<Item> = Said<Item>> {
  name: string
  /** Milliseconds for which an answer is good enough for everybody else who asks. */
  freshMs: number
  /** Which part of the time of its programs the machine works, when they mostly wait. Default: all of it. */
  workShare?: number
  /**
   * Asks the machine.
   * @param before what it said the last time, when somebody has just looked
   * @throws Silence
   */
  ask(programs: Programs, query: Query, before: Before | undefined): Promise<Before>
}

/** Parts of an output at most; each disk is one. */
const maxSections = 1000

/** The parts of an output whose beginnings are marked by `printf '\036name\n'`, by name. */
export function sectionsOf(output: string): ReadonlyMap<string, readonly string[]> {
  const sections = output.split('\u001e', maxSections).slice(1)
  return new Map(
    sections.map((section) => {
      const [name = '', ...lines] = section.split('\n')
      return [name, lines.filter((line) => line !== '')]
    }),
  )
}
