import { expect, it } from 'vitest'
import { dnsLookup } from '../../../server/outbound/dial.ts'

it('simultaneous lookups of one name share one request, a later lookup makes a new one', async () => {
  const first = dnsLookup('localhost')
  expect(dnsLookup('localhost')).toBe(first)
  const found = await first
  expect(found.map(({ address }) => address)).toContain('127.0.0.1')
  const later = dnsLookup('localhost')
  expect(later).not.toBe(first)
  expect(await later).toEqual(found)
})

it('an unknown name fails for every caller, and lookups beyond the concurrency limit are all answered', async () => {
  const names = Array.from({ length: 40 }, (_, number) => `nobody-${number}.invalid`)
  const answers = await Promise.allSettled([...names, ...names, 'localhost'].map(dnsLookup))
  expect(answers.map(({ status }) => status)).toEqual([...Array(80).fill('rejected'), 'fulfilled'])
})
