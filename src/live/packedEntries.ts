import type { LiveEntry } from './messages.ts'

/**
 * All servers at one moment as plain numbers, one server after the other: the browser copies them as one block, where
 * ten thousand objects would keep the page's thread busy for a tenth of a second.
 */
export type PackedEntries = Float64Array

/** Of facts and figures only what lists sort and filter by; those that are missing count as 0, as on the wire. */
const facts = ['mem_total', 'disk_total'] as const
const figures = ['cpu', 'mem_used', 'disk_used', 'net_in_speed', 'net_out_speed'] as const

/** Before the figures: id, online, seen at, has facts, has figures. */
const figuresFrom = 5 + facts.length
const width = figuresFrom + figures.length

export function packEntries(entries: readonly LiveEntry[]): PackedEntries {
  const packed = new Float64Array(entries.length * width)
  for (const [index, { id, online, seenAt, host, state }] of entries.entries()) {
    const head = [id, Number(online), seenAt ?? Number.NaN, isFilled(host), isFilled(state)]
    const values = [...facts.map((fact) => host?.[fact] ?? 0), ...figures.map((figure) => state?.[figure] ?? 0)]
    packed.set([...head, ...values], index * width)
  }
  return packed
}

/** 1 or 0. A machine that has not reported since the server started may come with empty parts. */
const isFilled = (part: object | undefined) => Number(Object.keys(part ?? {}).length > 0)

export function unpackEntries(packed: PackedEntries): LiveEntry[] {
  return Array.from({ length: packed.length / width }, (_, index) => {
    const at = (place: number) => packed[index * width + place] as number
    const part = (names: readonly string[], from: number) =>
      Object.fromEntries(names.map((name, place) => [name, at(from + place)]))
    const entry: LiveEntry = { id: at(0), online: at(1) === 1 }
    if (!Number.isNaN(at(2))) entry.seenAt = at(2)
    if (at(3) === 1) entry.host = part(facts, 5)
    if (at(4) === 1) entry.state = part(figures, figuresFrom)
    return entry
  })
}
